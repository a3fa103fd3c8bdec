// The style sheet knows a light and a dark appearance, and the reader's system says which: pictures
// take their colours from it.
#include "report/page.hpp"

#include <fmt/format.h>

#include "report/decomposition_picture.hpp"
#include "report/route_picture.hpp"
#include "report/svg.hpp"
#include "report/timeline_picture.hpp"

namespace weft::report {
namespace {

constexpr const char* style = R"css(
:root { color-scheme: light dark; --ink: #1c2430; --dim: #667080; --rule: #d8dde5; --page: #ffffff;
  --panel: #f5f7fa; --pass: #3b78b8; --poll: #9cc3e6; --wire: #e0a23c; --start: #b3701a;
  --wait: #cf5148; --floor: #2e8b57; --bar: #5b8fc7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --dim: #98a2b3; --rule: #39414d; --page: #14181e; --panel: #1d232b;
    --pass: #5b9bdb; --poll: #2f5f8f; --wire: #c98d2e; --start: #f0bd6a; --wait: #e0685f;
    --floor: #55b985; --bar: #4a7fb8; } }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--page); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .8rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
p { margin: .4rem 0; color: var(--dim); }
table { border-collapse: collapse; }
th { text-align: left; font-weight: 500; color: var(--dim); padding: .1rem 1.2rem .1rem 0;
  vertical-align: top; }
pre { background: var(--panel); border-radius: 6px; padding: .8rem 1rem; overflow: auto;
  max-height: 32rem; font: 12.5px/1.45 ui-monospace, monospace; }
svg { max-width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { font-size: 11px; fill: var(--dim); }
svg .middle, svg .number { text-anchor: middle; }
svg .end { text-anchor: end; }
svg .number { font-size: 11px; fill: #10151c; }
svg polygon { stroke: #10151c; stroke-width: .6; stroke-linejoin: round; }
svg .mark { stroke: var(--rule); }
svg .whole { fill: var(--panel); }
.pass { fill: var(--pass); background: var(--pass); }
.poll { fill: var(--poll); background: var(--poll); }
.block { fill: var(--wire); background: var(--wire); opacity: .55; }
.start { fill: var(--start); background: var(--start); }
.wait { fill: var(--wait); background: var(--wait); }
svg .bar { fill: var(--bar); }
svg .range { stroke: var(--ink); stroke-width: 1.4; }
svg .floor { stroke: var(--floor); stroke-width: 2; stroke-dasharray: 5 3; }
svg .floor-name { fill: var(--floor); }
.route { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; }
.route figure { margin: 0; max-width: 16rem; text-align: center; }
.route figcaption { font-size: 13px; line-height: 1.35; }
.route .exchange { text-align: center; font-size: 13px; color: var(--dim); }
.route .exchange b { display: block; font-size: 1.6rem; line-height: 1; color: var(--ink); }
.keys span { margin-right: 1.2em; }
.keys i { display: inline-block; width: .9em; height: .7em; margin-right: .35em; }
)css";

std::string section(const std::string& heading, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escaped(heading), body);
}

std::string paragraph(const std::string& text) { return fmt::format("<p>{}</p>\n", escaped(text)); }

std::string preformatted(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return fmt::format("<pre>{}</pre>\n", escaped(text));
}

std::string facts_table(const Content& content) {
  std::string rows;
  for (const auto& [name, fact] : content.facts)
    rows += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(name), escaped(fact));
  return fmt::format("<table>\n{}</table>\n", rows);
}

/// A sentence where the page draws only some of the ranks.
std::string who_is_drawn(const Content& content) {
  const int ranks = content.passes.front().before.ranks();
  if (ranks <= most_ranks) return "";
  return fmt::format(" Drawn are the first {} of {} ranks.", most_ranks, ranks);
}

// --- The route ----------------------------------------------------------------------------------

std::string boxes(const DecompositionPictures& pictures, const Layout& layout,
                  const std::string& name) {
  const Drawing drawing = pictures.draw(layout);
  return svg(drawing.width, drawing.height, name, drawing.content);
}

/// The boxes before a pass and, where the pass changes boxes, those after it.
std::string pass_figure(const DecompositionPictures& pictures, const Plan::Pass& pass,
                        std::size_t number) {
  const bool changes = !pass.after.has_boxes_of(pass.before);
  std::string caption = fmt::format("pass {}: {}", number, pass.computes);
  if (pass.before.has_empty_boxes()) caption += "; some ranks hold nothing";
  if (changes) caption += " ↓";
  return fmt::format(
      "<figure>{}<figcaption>{}</figcaption>{}</figure>\n",
      boxes(pictures, pass.before, fmt::format("boxes before pass {}", number)), escaped(caption),
      changes ? boxes(pictures, pass.after, fmt::format("boxes after pass {}", number)) : "");
}

std::string exchange_arrow(const std::string& method, std::size_t number) {
  return fmt::format("<div class=\"exchange\"><b>→</b>exchange {}<br>{}</div>\n", number,
                     escaped(method));
}

std::string route_section(const Content& content) {
  const std::vector<Plan::Pass>& passes = content.passes;
  const DecompositionPictures pictures(layouts_of(passes));
  std::string figures;
  for (std::size_t number = 0; number < passes.size(); ++number) {
    figures += pass_figure(pictures, passes[number], number);
    if (number < content.exchanges.size())
      figures += exchange_arrow(content.exchanges[number], number);
  }
  return section("Route",
                 paragraph("Which part of the array each rank holds, by colour and number; where "
                           "the mouse rests on a box, its indices. Edges are at one scale but for "
                           "very short ones." +
                           who_is_drawn(content)) +
                     fmt::format("<div class=\"route\">\n{}</div>\n", figures));
}

// --- The rest -----------------------------------------------------------------------------------

std::string times_section(const Content& content) {
  return section("Time of one transform",
                 paragraph("Bars end at the median, lines reach from the fastest sample to the "
                           "slowest. The floor is the time of copying as many bytes as the passes "
                           "must move.") +
                     bars_picture(content.times, content.floor_seconds) +
                     preformatted(content.table));
}

std::string timeline_section(const Content& content) {
  constexpr const char* keys =
      R"(<p class="keys"><span><i class="pass"></i>pass</span>
<span><i class="poll"></i>poll</span>
<span><i class="block"></i>block on the wire</span>
<span><i class="start"></i>start of a block</span>
<span><i class="wait"></i>wait for other ranks</span></p>
)";
  return section("Timeline",
                 paragraph("One transform on one clock; each rank computes, sends and waits. Where "
                           "the mouse rests on a bar, what it is." +
                           who_is_drawn(content)) +
                     keys + timeline_picture(content.trace));
}

/// JSON as the content of a script element, which ends at the first "</script" whatever it is in:
/// "<" occurs only in strings, where it may be written as its number.
std::string embedded(const std::string& json) {
  std::string text;
  for (const char character : json) character == '<' ? text += "\\u003c" : text += character;
  return fmt::format("<script type=\"application/json\" id=\"figures\">\n{}</script>\n", text);
}

}  // namespace

std::string page(const Content& content) {
  return fmt::format(
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
             "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
             escaped(content.title), style) +
         facts_table(content) + times_section(content) + route_section(content) +
         timeline_section(content) + section("Plan", preformatted(content.description)) +
         embedded(content.figures) + "</body>\n</html>\n";
}

}  // namespace weft::report
