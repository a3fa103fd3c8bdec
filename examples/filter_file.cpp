// Smooths an array in a file with a Gaussian: every rank reads its part of IN, a raw file of
// float64 in C order, and writes it to OUT after the filter.
//
//   mpiexec -n 4 filter_file IN OUT SHAPE WIDTH
// SHAPE is 128x128x100, for example; WIDTH is the standard deviation in grid steps.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <weft/weft.hpp>

namespace {

using Complex = std::complex<double>;

void check(int code, const std::string& what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(what + ": " + text);
}

/// The part of the file that holds this rank's box of the array, in C order.
class ArrayFile {
 public:
  ArrayFile(const std::string& path, int mode, const weft::Shape& shape, const weft::Box& box)
      : path_(path) {
    check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &file_), path);
    MPI_Offset bytes = 0;
    check(MPI_File_get_size(file_, &bytes), path);
    if (mode == MPI_MODE_RDONLY && bytes != volume(shape) * static_cast<int>(sizeof(double)))
      throw std::runtime_error(path + ": is not of that shape");
    std::vector<int> sizes(shape.begin(), shape.end()), starts(box.lower.begin(), box.lower.end());
    const weft::Shape extents = box.extents();
    std::vector<int> subsizes(extents.begin(), extents.end());
    MPI_Datatype part = MPI_DOUBLE;
    if (!box.empty())
      MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(),
                               starts.data(), MPI_ORDER_C, MPI_DOUBLE, &part);
    else
      MPI_Type_dup(MPI_DOUBLE, &part);
    MPI_Type_commit(&part);
    check(MPI_File_set_view(file_, 0, MPI_DOUBLE, part, "native", MPI_INFO_NULL), path);
    MPI_Type_free(&part);
  }
  ~ArrayFile() { MPI_File_close(&file_); }
  ArrayFile(const ArrayFile&) = delete;
  ArrayFile& operator=(const ArrayFile&) = delete;

  void read(weft::Array<double>& array) {
    check(MPI_File_read_all(file_, array.data(), static_cast<int>(array.size()), MPI_DOUBLE,
                            MPI_STATUS_IGNORE),
          path_);
  }
  void write(const weft::Array<double>& array) {
    check(MPI_File_write_all(file_, array.data(), static_cast<int>(array.size()), MPI_DOUBLE,
                             MPI_STATUS_IGNORE),
          path_);
  }

 private:
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

void filter(const std::string& in, const std::string& out, const weft::Shape& shape, double width) {
  weft::Plan plan(MPI_COMM_WORLD, shape, weft::Kind::r2c);
  auto field = plan.make_input<double>();
  ArrayFile(in, MPI_MODE_RDONLY, shape, plan.input_box()).read(field);

  const std::vector<double> lengths(shape.begin(), shape.end());  // in grid steps
  const weft::SpectralOperators operators(plan.transform(), lengths);
  plan.apply<Complex>(field, field, operators.gaussian<Complex>(width));

  ArrayFile(out, MPI_MODE_WRONLY | MPI_MODE_CREATE, shape, plan.input_box()).write(field);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    if (argc != 5) throw std::runtime_error("give IN OUT SHAPE WIDTH");
    filter(argv[1], argv[2], weft::parse_shape(argv[3]), std::atof(argv[4]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "filter_file: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
