#include "report_page.h"

#include "stiction/base/platform/file.h"
#include "stiction/record/recording.h"
#include "stiction/report/html.h"

namespace stiction::cli {

Result<JournalEnding> write_report(const std::string& recording, const std::string& page) {
  const Result<RecordingDigest> loaded = digest_recording(recording);
  if (!loaded) return loaded.mistakes();
  const Result<std::string> html = html_report(loaded.value());
  if (!html) return html.mistakes();
  if (const Result<bool> written = write_file(page, html.value()); !written) return written.mistakes();
  return loaded.value().scenes.ending;
}

}  // namespace stiction::cli
