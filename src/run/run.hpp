// One walk through a schedule: as far as it goes without waiting, or to the end.
#pragma once

#include <functional>

#include "call/stall_watch.hpp"
#include "plan/program.hpp"
#include "run/certificate.hpp"
#include "run/progress.hpp"

namespace weft {

/// A transform in flight. Run decides nothing: the actions name the work, and the views of the
/// program name the memory.
class Run {
 public:
  /// The first `fields` fields of a program, together.
  static Run of_fields(Program& program, int fields, Progress& progress);
  /// One field by itself, whose result may overwrite its input.
  static Run of_field(Program& program, int field, Progress& progress, bool in_place = false);
  /// One field by itself, leaving out the actions that are not `wanted`.
  static Run of_part(Program& program, Progress& progress,
                     const std::function<bool(const Action&)>& wanted, bool in_place = false);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// The run ends when all ranks know whether the result is right.
  void certify(std::unique_ptr<Certificate> certificate) { certificate_ = std::move(certificate); }
  /// Why the result is wrong, the same on all ranks; empty if it is right.
  std::string failure() const { return certificate_ ? certificate_->failure() : ""; }

  /// Goes on until it would have to wait for other ranks; true at the end.
  bool advance();

  /// While it lives, the caller waits for this run: all its tries are one wait, and `stalls` gets
  /// the awaited action.
  class Awaited {
   public:
    Awaited(Run& run, StallWatch& stalls);
    ~Awaited();
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;

   private:
    Run& run_;
  };

 private:
  struct Selection {
    int field = -1;                                  // replaces the actions' own; -1 keeps it
    std::function<bool(const Action&)> wanted = {};  // leaves out others; empty: none
  };
  Run(Program& program, const Schedule& actions, Selection selection, Progress& progress);

  Program& program_;
  const Schedule& actions_;
  Selection selection_;
  Progress& progress_;
  std::unique_ptr<Certificate> certificate_;
  std::size_t next_ = 0;
  StallWatch* stalls_ = nullptr;  // set while the caller waits for this run
  bool waiting_ = false;  // for the next action, since first_try_, which is kept for recorders
  Clock::time_point first_try_;
};

}  // namespace weft
