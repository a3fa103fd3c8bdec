// Sets of cores are texts, so that ranks can send them to each other and tests can write them.
#include "machine/affinity.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <memory>
#include <numeric>

namespace weft {
namespace {

/// A vendor's GPUs on the PCI bus, and hwloc's matrix of the links between them.
struct Vendor {
  unsigned short number;
  const char* name;
  const char* links;
};
constexpr Vendor vendors[] = {{0x10de, "NVIDIA", "NVLinkBandwidth"},
                              {0x1002, "AMD", "XGMIBandwidth"}};

/// Upper bytes of PCI's classes: GPUs with and without a screen, and accelerators, which AMD's are
/// from the MI300 on.
constexpr unsigned display_class = 0x03, accelerator_class = 0x12;

/// The vendor of a device that is a GPU; null if it is none.
const Vendor* vendor_of(const hwloc_obj* device) {
  const auto& pci = device->attr->pcidev;
  const unsigned kind = pci.class_id >> 8;
  if (kind != display_class && kind != accelerator_class) return nullptr;
  const auto* const vendor = std::ranges::find(vendors, pci.vendor_id, &Vendor::number);
  return vendor != std::end(vendors) ? vendor : nullptr;
}

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* set) const { hwloc_bitmap_free(set); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Bitmap parsed(const std::string& list) {
  Bitmap set(hwloc_bitmap_alloc());
  hwloc_bitmap_list_sscanf(set.get(), list.c_str());
  return set;
}

std::string list_of(const hwloc_bitmap_s* set) {
  char* text = nullptr;
  if (set == nullptr || hwloc_bitmap_list_asprintf(&text, set) < 0) return "";
  const std::unique_ptr<char, decltype(&std::free)> owned(text, std::free);
  return text;
}

bool meet(const std::string& one, const std::string& other) {
  return hwloc_bitmap_intersects(parsed(one).get(), parsed(other).get()) != 0;
}

std::string bus_of(const hwloc_obj* device) {
  const auto& pci = device->attr->pcidev;
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.dev, pci.func);
}

GpuPlace place_of(hwloc_topology* topology, hwloc_obj* device) {
  const auto& pci = device->attr->pcidev;
  const char* const model = hwloc_obj_get_info_by_name(device, "PCIDevice");
  return {bus_of(device),
          model != nullptr
              ? model
              : fmt::format("{} device {:04x}", vendor_of(device)->name, pci.device_id),
          list_of(hwloc_get_non_io_ancestor_obj(topology, device)->cpuset),
          1e9 * static_cast<double>(pci.linkspeed)};
}

/// hwloc's matrix of bandwidths between a vendor's GPUs, if it has one: its plugins for NVML and
/// ROCm SMI make them.
class Links {
 public:
  Links(hwloc_topology* topology, const Vendor& vendor) : topology_(topology) {
    unsigned count = 1;
    if (hwloc_distances_get_by_name(topology, vendor.links, &count, &matrix_, 0) != 0 ||
        count == 0) {
      matrix_ = nullptr;
      return;
    }
    // Switches link GPUs: the two steps turn links to switches into links between GPUs. Without
    // switches the first step fails, and the second would drop the direct links.
    if (hwloc_distances_transform(topology, matrix_, HWLOC_DISTANCES_TRANSFORM_MERGE_SWITCH_PORTS,
                                  nullptr, 0) == 0)
      hwloc_distances_transform(topology, matrix_, HWLOC_DISTANCES_TRANSFORM_TRANSITIVE_CLOSURE,
                                nullptr, 0);
  }
  ~Links() {
    if (matrix_ != nullptr) hwloc_distances_release(topology_, matrix_);
  }
  Links(const Links&) = delete;
  Links& operator=(const Links&) = delete;

  double rate(const std::string& from, const std::string& to) const {
    const int one = number_of(from), other = number_of(to);
    if (one < 0 || other < 0 || one == other) return 0;
    constexpr double megabytes = 1e6;  // hwloc's unit
    return megabytes *
           static_cast<double>(matrix_->values[static_cast<unsigned>(one) * matrix_->nbobjs +
                                               static_cast<unsigned>(other)]);
  }

 private:
  int number_of(const std::string& bus) const {
    for (unsigned number = 0; matrix_ != nullptr && number < matrix_->nbobjs; ++number) {
      hwloc_obj* object = matrix_->objs[number];
      while (object != nullptr && object->type != HWLOC_OBJ_PCI_DEVICE) object = object->parent;
      if (object != nullptr && bus_of(object) == bus) return static_cast<int>(number);
    }
    return -1;
  }

  hwloc_topology* topology_;
  hwloc_distances_s* matrix_ = nullptr;
};

/// Gives every GPU the same number of ranks, and some of them one more.
class Sharing {
 public:
  Sharing(std::size_t gpus, std::size_t ranks)
      : loads_(gpus, 0), equal_(ranks / gpus), more_(ranks % gpus) {}

  /// The GPU with the fewest ranks among these, if it may have another rank; else -1.
  int take(const std::vector<int>& gpus) {
    const auto load = [this](int gpu) { return loads_[static_cast<std::size_t>(gpu)]; };
    const auto least = std::ranges::min_element(gpus, {}, load);
    if (least == gpus.end() || load(*least) > equal_) return -1;
    if (load(*least) == equal_ && more_ == 0) return -1;
    if (load(*least) == equal_) --more_;
    ++loads_[static_cast<std::size_t>(*least)];
    return *least;
  }

 private:
  std::vector<std::size_t> loads_;  // ranks, by GPU
  std::size_t equal_;
  std::size_t more_;  // GPUs that may still have one rank more than the others
};

}  // namespace

std::vector<GpuPlace> gpus_of(hwloc_topology* topology) {
  std::vector<GpuPlace> gpus;
  if (topology == nullptr) return gpus;
  for (hwloc_obj* device = hwloc_get_next_pcidev(topology, nullptr); device != nullptr;
       device = hwloc_get_next_pcidev(topology, device))
    if (vendor_of(device) != nullptr) gpus.push_back(place_of(topology, device));
  std::ranges::sort(gpus, {}, &GpuPlace::bus);
  for (GpuPlace& gpu : gpus) gpu.link_rates.assign(gpus.size(), 0);
  for (const Vendor& vendor : vendors) {
    const Links links(topology, vendor);
    for (GpuPlace& gpu : gpus)
      for (std::size_t other = 0; other < gpus.size(); ++other)
        gpu.link_rates[other] += links.rate(gpu.bus, gpus[other].bus);
  }
  return gpus;
}

std::string binding_of_process(hwloc_topology* topology) {
  if (topology == nullptr) return "";
  const Bitmap set(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(topology, set.get(), HWLOC_CPUBIND_PROCESS) == 0) return list_of(set.get());
  return list_of(hwloc_topology_get_topology_cpuset(topology));
}

std::vector<GpuShare> share_gpus(const std::vector<GpuPlace>& gpus,
                                 const std::vector<std::string>& bindings) {
  std::vector<GpuShare> shares(bindings.size());
  if (gpus.empty()) return shares;
  std::vector<int> all(gpus.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<int>> near(bindings.size());  // by rank
  for (std::size_t rank = 0; rank < bindings.size(); ++rank)
    std::ranges::copy_if(all, std::back_inserter(near[rank]), [&](int gpu) {
      return meet(gpus[static_cast<std::size_t>(gpu)].near, bindings[rank]);
    });
  std::vector<std::size_t> order(bindings.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t rank) { return near[rank].size(); });
  Sharing sharing(gpus.size(), bindings.size());
  for (const std::size_t rank : order) {
    const int gpu = sharing.take(near[rank]);
    shares[rank] = {gpu, gpu >= 0};
  }
  for (const std::size_t rank : order)
    if (shares[rank].gpu < 0) shares[rank].gpu = sharing.take(all);
  return shares;
}

}  // namespace weft
