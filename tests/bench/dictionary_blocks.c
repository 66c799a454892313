/* dictionary_blocks DICTIONARY FILE BLOCK_BYTES LEVEL: compresses each block of FILE on its own
 * with zstd and the dictionary, decompresses it again, compares, and prints what all of it took as
 * JSON. Frames have no magic, content size, dictionary id and checksum: a format with an index of
 * its own needs none of them. A block that does not shrink counts as it is. */

#define ZSTD_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zstd.h>

static void fail(const char* what) {
  fprintf(stderr, "dictionary_blocks: %s\n", what);
  exit(1);
}

static size_t checked(size_t result) {
  if (ZSTD_isError(result)) fail(ZSTD_getErrorName(result));
  return result;
}

static char* contents_of(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail(path);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char* memory = malloc(*bytes + 1);
  if (memory == NULL || fread(memory, 1, *bytes, file) != *bytes) fail(path);
  fclose(file);
  return memory;
}

static double seconds_since(clock_t begin) { return (double)(clock() - begin) / CLOCKS_PER_SEC; }

int main(int argc, char** argv) {
  if (argc != 5) fail("wrong arguments");
  size_t dictionary_bytes, plain_bytes;
  const char* dictionary = contents_of(argv[1], &dictionary_bytes);
  const char* plain = contents_of(argv[2], &plain_bytes);
  const size_t block_bytes = strtoul(argv[3], NULL, 10);
  if (block_bytes == 0) fail("wrong size of blocks");

  ZSTD_CCtx* coder = ZSTD_createCCtx();
  ZSTD_DCtx* decoder = ZSTD_createDCtx();
  checked(ZSTD_CCtx_setParameter(coder, ZSTD_c_compressionLevel, atoi(argv[4])));
  checked(ZSTD_CCtx_setParameter(coder, ZSTD_c_contentSizeFlag, 0));
  checked(ZSTD_CCtx_setParameter(coder, ZSTD_c_checksumFlag, 0));
  checked(ZSTD_CCtx_setParameter(coder, ZSTD_c_dictIDFlag, 0));
  checked(ZSTD_CCtx_setParameter(coder, ZSTD_c_format, ZSTD_f_zstd1_magicless));
  checked(ZSTD_CCtx_loadDictionary(coder, dictionary, dictionary_bytes));
  checked(ZSTD_DCtx_setParameter(decoder, ZSTD_d_format, ZSTD_f_zstd1_magicless));
  checked(ZSTD_DCtx_loadDictionary(decoder, dictionary, dictionary_bytes));

  const size_t blocks = (plain_bytes + block_bytes - 1) / block_bytes;
  const size_t room = ZSTD_compressBound(block_bytes);
  char* coded = malloc(blocks * room + 1);
  size_t* sizes = malloc((blocks + 1) * sizeof *sizes);
  char* again = malloc(block_bytes);
  if (coded == NULL || sizes == NULL || again == NULL) fail("not enough memory");

  /* Once before the clock runs: the dictionary is digested at its first use. */
  checked(ZSTD_compress2(coder, coded, room, plain,
                         plain_bytes < block_bytes ? plain_bytes : block_bytes));

  size_t coded_bytes = 0;
  clock_t begin = clock();
  for (size_t i = 0; i < blocks; ++i) {
    const size_t at = i * block_bytes;
    const size_t size = plain_bytes - at < block_bytes ? plain_bytes - at : block_bytes;
    sizes[i] = checked(ZSTD_compress2(coder, coded + i * room, room, plain + at, size));
    coded_bytes += sizes[i] < size ? sizes[i] : size;
  }
  const double seconds_in = seconds_since(begin);

  begin = clock();
  for (size_t i = 0; i < blocks; ++i) {
    const size_t at = i * block_bytes;
    const size_t size = plain_bytes - at < block_bytes ? plain_bytes - at : block_bytes;
    if (checked(ZSTD_decompressDCtx(decoder, again, block_bytes, coded + i * room, sizes[i])) !=
            size ||
        memcmp(again, plain + at, size) != 0)
      fail("a block was not given back");
  }
  printf("{\"blocks\": %zu, \"coded\": %zu, \"in_s\": %.6f, \"out_s\": %.6f}\n", blocks,
         coded_bytes, seconds_in, seconds_since(begin));
  return 0;
}
