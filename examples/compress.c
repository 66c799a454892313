/* Compresses standard input to standard output, or with -d decompresses it, piece by piece through
 * the C interface:
 *   cc compress.c $(pkg-config --cflags --libs lmzip) -o compress
 *   ./compress <notes.txt >notes.lmz && ./compress -d <notes.lmz */

#include <lmzip/lmzip.h>
#include <stdio.h>
#include <string.h>

static char in[65536];
static char out[65536];

/* Moves everything from stdin through `stream` to stdout. */
static int run(lmzip_stream* stream) {
  lmzip_buffers buffers = {NULL, 0, NULL, 0, 0};
  int last = 0;
  while (!buffers.finished) {
    if (buffers.in_bytes == 0 && !last) {
      buffers.in = in;
      buffers.in_bytes = fread(in, 1, sizeof in, stdin);
      if (ferror(stdin)) return LMZIP_IO;
      last = feof(stdin);
    }
    buffers.out = out;
    buffers.out_bytes = sizeof out;
    int code = lmzip_stream_run(stream, &buffers, last);
    if (code != LMZIP_OK) return code;
    size_t produced = sizeof out - buffers.out_bytes;
    if (fwrite(out, 1, produced, stdout) != produced) return LMZIP_IO;
  }
  return fflush(stdout) == 0 ? LMZIP_OK : LMZIP_IO;
}

int main(int argc, char** argv) {
  int decompress = argc > 1 && strcmp(argv[1], "-d") == 0;
  lmzip_options options;
  lmzip_options_init(&options, sizeof options);
  options.threads = 0; /* one per core */

  lmzip_stream* stream = NULL;
  int code = decompress ? lmzip_decompress_begin(&options, &stream)
                        : lmzip_compress_begin(&options, &stream);
  if (code == LMZIP_OK) code = run(stream);
  lmzip_stream_free(stream);
  if (code != LMZIP_OK) {
    fprintf(stderr, "compress: %s\n", lmzip_error_text(code));
    return 1;
  }
  return 0;
}
