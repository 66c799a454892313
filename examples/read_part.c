/* Prints a part of an archive without decoding the rest, through the C interface:
 *   cc read_part.c $(pkg-config --cflags --libs lmzip) -o read_part
 *   ./read_part shop.sql.lmz 1000000 200 */

#include <lmzip/lmzip.h>
#include <stdio.h>
#include <stdlib.h>

static char part[65536];

static int print_part(lmzip_reader* reader, uint64_t offset, uint64_t length) {
  while (length > 0) {
    size_t wanted = length < sizeof part ? (size_t)length : sizeof part;
    size_t count = 0;
    int code = lmzip_reader_read(reader, offset, part, wanted, &count);
    if (code != LMZIP_OK) return code;
    if (count == 0) break; /* the end */
    if (fwrite(part, 1, count, stdout) != count) return LMZIP_IO;
    offset += count;
    length -= count;
  }
  return fflush(stdout) == 0 ? LMZIP_OK : LMZIP_IO;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: read_part ARCHIVE OFFSET LENGTH\n");
    return 1;
  }
  lmzip_reader* reader = NULL;
  int code = lmzip_reader_open(argv[1], NULL, &reader);
  if (code == LMZIP_OK)
    code = print_part(reader, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
  lmzip_reader_free(reader);
  if (code != LMZIP_OK) {
    fprintf(stderr, "read_part: %s\n", lmzip_error_text(code));
    return 1;
  }
  return 0;
}
