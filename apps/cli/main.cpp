// The program `stiction`: declares the words of the command line, understands them, calls a command and
// returns its exit status (output.h). Beside parse_errors.cpp the only file that sees CLI11.
#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <functional>
#include <memory>
#include <new>

#include "commands.h"
#include "parse_errors.h"

namespace stiction::cli {
namespace {

using Action = std::function<Status()>;

/// A switch: there or not, never with a value.
void add_flag(CLI::App& command, const std::string& name, bool& value, const std::string& about) {
  command.add_flag(name, value, about)->disable_flag_override();
}

/// A command with --json and an example at the end of its help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& about,
                      const std::string& example, Output& output) {
  CLI::App* command = app.add_subcommand(name, about);
  add_flag(*command, "--json", output.json, "One JSON document on stdout; messages on stderr");
  command->footer("Example:\n  " + example);
  return command;
}

void add_set(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "Replace any value of the scene; may be repeated")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void add_run(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<RunOptions>();
  CLI::App* command = add_command(app, "run", "Run a scene to its end; record it and write a report",
                                  "stiction run first --until 2 --set run.step=0.005 --csv", o->output);
  command->add_option("SCENE", o->scene, "Path, or name of a scene (stiction list scenes)")
      ->capture_default_str();
  command->add_option("--until", o->until, "End of the run [s]")->type_name("T");
  command->add_option("--step", o->step, "Step size [s]")->type_name("H");
  command->add_option("--method", o->method, "Stepper (stiction list methods)")->type_name("M");
  command->add_option("--solver", o->solver, "Contact solver (stiction list solvers)")->type_name("S");
  command->add_option("--tolerance", o->tolerance, "What every step is certified to [-]")->type_name("X");
  command->add_option("--threads", o->threads, "Threads; changes no bit of the result")->type_name("N");
  add_set(*command, o->set);
  command->add_option("--out", o->out, "Folder for recording and report (default: out/<scene>)")
      ->type_name("DIR");
  command->add_option("--problems", o->problems, "Folder for contact problems as FCLib files (HDF5)")
      ->type_name("DIR");
  command->add_option("--problem-steps", o->problem_steps, "Whose problems: 10,50 (default: the last step)")
      ->type_name("N,N");
  add_flag(*command, "--csv", o->csv, "Also write tables as CSV");
  add_flag(*command, "--resume", o->resume, "Go on with a run that was cut off, or to a later --until");
  add_flag(*command, "--quiet", o->output.quiet, "No progress, no messages");
  command->callback([o, &chosen] { chosen = [o] { return run(*o); }; });
}

void add_check(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<CheckOptions>();
  CLI::App* command = add_command(app, "check", "List all mistakes of a scene, with file, line and column",
                                  "stiction check my.json", o->output);
  command->add_option("SCENE", o->scene, "Path, or name of a scene (stiction list scenes)")->required();
  add_set(*command, o->set);
  command->callback([o, &chosen] { chosen = [o] { return check(*o); }; });
}

void add_new(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<NewOptions>();
  CLI::App* command = add_command(app, "new", "Write a commented scene to start from",
                                  "stiction new pendulum my.json", o->output);
  command->add_option("NAME", o->name, "A starter (stiction list starters)")->required();
  command->add_option("FILE", o->file, "Where to write it (default: NAME.json)");
  command->callback([o, &chosen] { chosen = [o] { return create(*o); }; });
}

void add_list(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<ListOptions>();
  CLI::App* command =
      add_command(app, "list", "List scenes, shapes, starters, methods, solvers, causes, examples and more",
                  "stiction list scenes", o->output);
  command->add_option(
      "WHAT", o->kind,
      "scenes, shapes, starters, methods, solvers, problem_solvers, causes or examples; nothing = all");
  command->callback([o, &chosen] { chosen = [o] { return list(*o); }; });
}

void add_report(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<ReportOptions>();
  CLI::App* command =
      add_command(app, "report", "Write the page (HTML, self-contained) of a recording, or compare several",
                  "stiction report out/first/recording.h5 --at 0.5,1 --pictures out/first", o->output);
  command->add_option("RECORDING", o->in, "Recordings: .h5 or .journal; several are compared")->required();
  command->add_option("--out", o->out, "The page (default: beside the recording; comparison.html of several)")
      ->type_name("FILE");
  command->add_option("--at", o->at, "Times of the pictures [s]: 0.5,1,2 (default: evenly)")
      ->type_name("T,T");
  command->add_option("--pictures", o->pictures, "Folder for the pictures as files, too (SVG)")
      ->type_name("DIR");
  add_flag(*command, "--png", o->png, "These pictures as PNG");
  add_flag(*command, "--forces", o->forces, "Contact forces as arrows in the pictures");
  command->callback([o, &chosen] { chosen = [o] { return report(*o); }; });
}

void add_plot(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<PlotOptions>();
  CLI::App* command =
      add_command(app, "plot", "Draw curves of recordings over time, as SVG or PNG",
                  "stiction plot out/slider_crank/recording.h5 pin.force.magnitude --out pin.svg", o->output);
  command
      ->add_option(
          "WORDS", o->words,
          "Recordings (.h5, .journal), then curves: BODY.position.z, JOINT.force, certificate.joint, "
          "ledger.kinetic, booked.friction (default: those of the scene)")
      ->required();
  command
      ->add_option("--out", o->out,
                   "A name that ends in .svg or .png (default: plot.svg beside the recording)")
      ->type_name("FILE");
  add_flag(*command, "--log", o->logarithmic, "Powers of ten upwards");
  command->callback([o, &chosen] { chosen = [o] { return plot(*o); }; });
}

void add_view(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<ViewOptions>();
  CLI::App* command = add_command(app, "view", "Show a scene or a recording in the browser",
                                  "stiction view pyramid", o->output);
  command->add_option("WHAT", o->what, "A scene (path or name) or a recording (.h5); nothing = the gallery");
  command->add_option("--port", o->port, "Port on 127.0.0.1, 0 to 65535 (default: any free one)")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  add_flag(*command, "--no-browser", o->no_browser, "Print the address only");
  command->callback([o, &chosen] { chosen = [o] { return view(*o); }; });
}

void add_convert(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<RecordingOptions>();
  CLI::App* command =
      add_command(app, "convert", "Turn a recording (journal or HDF5) into HDF5 or CSV tables",
                  "stiction convert out/first/recording.journal first.h5", o->output);
  command->add_option("IN", o->in, "A recording: .journal or .h5")->required();
  command->add_option("OUT", o->out, "NAME.h5, or NAME.csv for NAME.bodies.csv and its companions")
      ->required();
  command->callback([o, &chosen] { chosen = [o] { return convert(*o); }; });
}

void add_solve(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<SolveOptions>();
  CLI::App* command = add_command(app, "solve", "Solve complementarity problems from files",
                                  "stiction solve problems --solver auto,lemke --out out/solve", o->output);
  command
      ->add_option("FILE", o->files,
                   "Problems: .json, or HDF5 in FCLib's layout; folders stand for all in them")
      ->required();
  command->add_option("--solver", o->solver, "One or more, with commas (stiction list problem_solvers)")
      ->type_name("S");
  command->add_option("--tolerance", o->tolerance, "On the natural map [-] (default: 1e-8)")->type_name("X");
  command->add_option("--out", o->out, "Folder for results.json and profile.svg")->type_name("DIR");
  command->callback([o, &chosen] { chosen = [o] { return solve(*o); }; });
}

void add_reproduce(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<ReproduceOptions>();
  CLI::App* command = add_command(app, "reproduce", "Compute the examples of published documents again",
                                  "stiction reproduce servin/spring --out figures", o->output);
  command->add_option("NAME", o->names, "Documents or examples (stiction list examples); nothing = all");
  command->add_option("--out", o->out, "Folder for figures as SVG (default: none are written)")
      ->type_name("DIR");
  command->callback([o, &chosen] { chosen = [o] { return reproduce(*o); }; });
}

void add_impact(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<ImpactOptions>();
  CLI::App* command = add_command(
      app, "impact", "Look into one impact: phases, impulses, energies, a picture of its path",
      "stiction impact --matrix 2,1.2,1 --velocity=-0.5,1 --friction 2 --restitution 0.5 --out impact.svg",
      o->output);
  command
      ->add_option("--velocity", o->velocity,
                   "Of the contact point before [m/s], normal first; below 0: approaching")
      ->type_name("N,T or N,T,T")
      ->required();
  command->add_option("--matrix", o->matrix, "Collision matrix [1/kg]: nn,nt,tt, in space nn,n1,n2,11,12,22")
      ->type_name("W,W,...");
  command->add_option("--mass", o->mass, "Instead of a matrix: mass of a free body [kg]")->type_name("M");
  command->add_option("--inertia", o->inertia, "Its inertia [kg m^2]: 1 number, in space 3 about t1, t2, n")
      ->type_name("I or I,I,I");
  command->add_option("--offset", o->offset, "From its centre to the contact [m]: t,n, in space t1,t2,n")
      ->type_name("T,N or T,T,N");
  command->add_option("--friction", o->friction, "Kinetic coefficient, and the static one where it differs")
      ->type_name("MU or MU,MU")
      ->capture_default_str();
  command->add_option("--restitution", o->restitution, "Coefficient of restitution, 0 to 1")
      ->type_name("E")
      ->capture_default_str();
  command->add_option("--law", o->law, "What it means: energetic, poisson or newton")
      ->type_name("LAW")
      ->capture_default_str();
  command->add_option("--tangential", o->tangential, "Restitution of slip, -1 to 1: the law for rubber balls")
      ->type_name("E");
  command->add_option("--out", o->out, "Picture of path and energies, .svg or .png (default: none)")
      ->type_name("FILE");
  command->callback([o, &chosen] { chosen = [o] { return explore_impact(*o); }; });
}

void add_schema(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<Output>();
  CLI::App* command = add_command(app, "schema", "Print the JSON Schema of scene files",
                                  "stiction schema > stiction.schema.json", *o);
  command->callback([o, &chosen] { chosen = [o] { return schema(*o); }; });
}

void add_version(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<Output>();
  CLI::App* command = add_command(app, "version", "Print the version", "stiction version --json", *o);
  command->callback([o, &chosen] { chosen = [o] { return version(*o); }; });
}

int run_program(int argc, char** argv) {
  CLI::App app{"Stiction: multibody systems with exact contact. Every step certified, every joule booked."};
  app.name("stiction");
  app.require_subcommand(1);
  app.footer(
      "Start with\n  stiction run\n  stiction new pendulum my.json\nExit status: 0 fine, 1 something missed "
      "its tolerance, 2 bad input, 3 a bug of ours.");
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.get_formatter()->column_width(34);

  Action chosen;
  for (const auto add : {add_run, add_check, add_new, add_list, add_report, add_plot, add_view, add_convert,
                         add_solve, add_reproduce, add_impact, add_schema, add_version})
    add(app, chosen);
  try {
    if (argc == 1) throw CLI::CallForHelp();
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    Output output;
    const std::vector<std::string> words(argv + 1, argv + argc);
    output.json = std::find(words.begin(), words.end(), "--json") != words.end();
    return reject("stiction: " + explain(app, e, words), output);
  }
  return chosen();
}

/// Where stdin, stdout or stderr are closed, the next file that is opened would be taken for them, and a
/// recording would get what is printed. In their places something that cannot be written to.
void keep_streams() {
  for (int stream = 0; stream <= 2; ++stream)
    if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", O_RDONLY);  // takes the lowest number free
}

}  // namespace
}  // namespace stiction::cli

int main(int argc, char** argv) {
  // A file that grows beyond a limit, a pipe that nobody reads: failed writes like any other, told as such.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  stiction::cli::keep_streams();
  try {
    const int status = stiction::cli::run_program(argc, argv);
    stiction::cli::flush_out();
    return status;
  } catch (const stiction::cli::OutputLost& e) {
    stiction::cli::say("stiction: cannot write the results to stdout: {}. Send them to another place.",
                       e.what());
    return stiction::cli::bad_input;
  } catch (const std::bad_alloc&) {
    stiction::cli::say("stiction: out of memory: make the scene smaller or record less often");
    return stiction::cli::bad_input;
  } catch (const std::exception& e) {
    stiction::cli::say("stiction: bug: {}. Please report it.", e.what());
    return stiction::cli::our_bug;
  }
}
