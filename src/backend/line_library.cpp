// A transform is checked when it is planned.
#include "backend/line_library.hpp"

#include "backend/line_check.hpp"

namespace weft {

const LineTransform& LineLibrary::transform(const LineBatch& batch) {
  const Key key{batch.kind, batch.precision, batch.length, batch.lines};
  if (const auto known = transforms_.find(key); known != transforms_.end()) return *known->second;
  auto transform = backend_.plan_lines(batch);
  check_lines(backend_, *transform, batch, input(), output());
  return *transforms_.emplace(key, std::move(transform)).first->second;
}

}  // namespace weft
