// Which requests the server of the page takes for its own; all that goes over the wire: tests/web/server.mjs.
#include "../../../apps/cli/web_server.h"

#include <gtest/gtest.h>

namespace stiction::cli {
namespace {

TEST(WebServer, KnowsItsHost) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080"})
    EXPECT_TRUE(names_this_machine(host, 8080)) << host;
  for (const char* host : {"", "localhost", "127.0.0.1", "localhost:80", "localhost:8081", "localhost:",
                           ":8080", "localhost:8080:8080", "evil.example:8080", "evil.localhost:8080",
                           "localhost:8080.evil.example", "127.0.0.1.evil.example:8080"})
    EXPECT_FALSE(names_this_machine(host, 8080)) << host;
}

/// Browsers leave the port out where it is the one of http.
TEST(WebServer, KnowsItsHostAtPort80) {
  for (const char* host : {"127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"})
    EXPECT_TRUE(names_this_machine(host, 80)) << host;
  for (const char* host : {"", ":80", "localhost:8080", "localhost:", "evil.example", "evil.example:80",
                           "localhost.evil.example"})
    EXPECT_FALSE(names_this_machine(host, 80)) << host;
}

}  // namespace
}  // namespace stiction::cli
