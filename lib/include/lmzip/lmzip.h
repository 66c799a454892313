#ifndef LMZIP_LMZIP_H
#define LMZIP_LMZIP_H

/* The C interface of liblmzip. Every function that can fail returns a code below; no exception and
 * no pointer to C++ crosses it. Functions are safe to call from several threads on distinct
 * objects. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Changes with every incompatible change; lmzip_abi_version() tells that of the library in use. */
enum { LMZIP_ABI_VERSION = 0 };

enum {
  LMZIP_OK = 0,
  LMZIP_USAGE = 1,        /* arguments that do not make sense */
  LMZIP_IO = 2,           /* reading or writing failed */
  LMZIP_DAMAGED = 3,      /* the archive's bytes contradict themselves */
  LMZIP_TRUNCATED = 4,    /* the archive ends before its end */
  LMZIP_NOT_LMZIP = 5,    /* not in lmzip format at all */
  LMZIP_MEMORY_LIMIT = 6, /* more memory or output than the limits allow, or than there is */
  LMZIP_UNSUPPORTED = 7,  /* valid, but made with a newer format, codec or codec data */
  LMZIP_MISSING = 8,      /* valid, but needs a model or a base that is not there */
  LMZIP_BUSY = 9,         /* the archive is locked */
  LMZIP_CANCELED = 10,    /* the caller asked to stop */
  LMZIP_INTERNAL = 11     /* a bug in lmzip */
};

/* A sentence for a code, without full stop, in English; for any value. Static memory. */
const char* lmzip_error_text(int code);

/* "1.2.3". Static memory. */
const char* lmzip_version(void);
int lmzip_abi_version(void);

/* Checkpoints that another one is compressed against: see lmzip_base_open(). */
typedef struct lmzip_base lmzip_base;

/* How hard to look for programs that make the tensors of a checkpoint. */
enum {
  LMZIP_SEARCH_BY_LEVEL = 0, /* none at levels 1 to 3, fast at 4 to 7, full at 8 and 9 */
  LMZIP_SEARCH_NONE = 1,
  LMZIP_SEARCH_FAST = 2,
  LMZIP_SEARCH_FULL = 3
};

/* Settings. Set all fields with lmzip_options_init(), then change what is wanted. Later versions
 * append fields; `size` tells the library which ones the program knows. */
typedef struct lmzip_options {
  size_t size;            /* sizeof(lmzip_options) of the program */
  int32_t level;          /* 1 ... 9; compressing */
  uint32_t threads;       /* 0: one per core */
  uint64_t block_bytes;   /* 4 KiB ... 1 GiB; 0: the level's default; compressing */
  uint64_t memory_limit;  /* bytes; lowers the number of threads first; 0: no limit */
  uint64_t output_limit;  /* LMZIP_MEMORY_LIMIT past so many bytes; 0: none; decompressing */
  int32_t verify;         /* not 0: decode and compare each block; compressing */
  int32_t strong;         /* not 0: store a SHA-256 of each block; compressing */
  uint64_t cache_bytes;   /* decoded blocks that a reader or a base keeps; 0: 64 MiB */
  const lmzip_base* base; /* of lmzip_base_open(); NULL: none. It can be freed as soon as the call
                             that got these options has returned */
  int32_t search;         /* LMZIP_SEARCH_...: programs that make tensors; compressing */
  int32_t reserved;       /* 0 */
} lmzip_options;

/* Sets the defaults: level 6, one thread, no limits. `size` is sizeof(lmzip_options). */
void lmzip_options_init(lmzip_options* options, size_t size);

/* Compresses `plain` (decompresses `archive`) into memory that the caller gives back with
 * lmzip_free(). `options` may be NULL. On failure the results are NULL and 0. */
int lmzip_compress(const void* plain, size_t plain_bytes, const lmzip_options* options,
                   void** archive, size_t* archive_bytes);
int lmzip_decompress(const void* archive, size_t archive_bytes, const lmzip_options* options,
                     void** plain, size_t* plain_bytes);
void lmzip_free(void* memory);

/* Opens checkpoints (safetensors, GGUF, npy, npz, PyTorch's zip; archives of them, which may
 * themselves need others among them; folders of shards) as one base. Tensors of a checkpoint that
 * is compressed with it are coded against those that they match by name or by content; its archive
 * can only be decompressed with a base that holds the same tensors. Only memory_limit and
 * cache_bytes of the options count. On failure the result is NULL. */
int lmzip_base_open(const char* const* paths, size_t count, const lmzip_options* options,
                    lmzip_base** base);

/* Reads up to `bytes` bytes at `offset` of a file and stores how many in `*count`: none only at its
 * end. Returns 0, or anything else for a failure, which becomes LMZIP_IO. */
typedef int (*lmzip_read_at)(void* context, uint64_t offset, void* into, size_t bytes,
                             size_t* count);

/* A file that lies anywhere. `read_at` is called with `context`, by one thread at a time. */
typedef struct lmzip_base_input {
  const char* name; /* for messages */
  lmzip_read_at read_at;
  void* context;
  uint64_t bytes; /* of the file */
} lmzip_base_input;

/* The same for such files, which are read until the base and all that was begun with it are freed.
 */
int lmzip_base_open_sources(const lmzip_base_input* inputs, size_t count,
                            const lmzip_options* options, lmzip_base** base);

/* Frees a base; NULL is allowed. */
void lmzip_base_free(lmzip_base* base);

/* Coding piece by piece, in bounded memory. */
typedef struct lmzip_stream lmzip_stream;

int lmzip_compress_begin(const lmzip_options* options, lmzip_stream** stream);
int lmzip_decompress_begin(const lmzip_options* options, lmzip_stream** stream);

typedef struct lmzip_buffers {
  const void* in;   /* moved forward past what was consumed */
  size_t in_bytes;  /* what is left of it */
  void* out;        /* moved forward past what was produced */
  size_t out_bytes; /* room that is left */
  int finished;     /* set to 1 when everything has been produced */
} lmzip_buffers;

/* Takes bytes from `in` and writes bytes to `out`. Returns once `in` is used up, or earlier if
 * `out` is full. If `last` is not 0 nothing follows `in`: call again, with `last`, until
 * `finished`. After a failure every further call fails; bytes produced before it are valid. */
int lmzip_stream_run(lmzip_stream* stream, lmzip_buffers* buffers, int last);

/* Frees a stream in any state; NULL is allowed. */
void lmzip_stream_free(lmzip_stream* stream);

/* Reading any part of an archive; only the blocks that are needed are decoded. A reader can be used
 * from several threads; calls wait for each other. */
typedef struct lmzip_reader lmzip_reader;

/* Opens an archive in a regular file. Only memory_limit, cache_bytes and base of the options count.
 * On failure the result is NULL. */
int lmzip_reader_open(const char* path, const lmzip_options* options, lmzip_reader** reader);

/* The same for an archive of `archive_bytes` bytes that lies anywhere else; `read_at` is called
 * with `context`, by one thread at a time, until the reader is freed. */
int lmzip_reader_open_source(lmzip_read_at read_at, void* context, uint64_t archive_bytes,
                             const lmzip_options* options, lmzip_reader** reader);

/* Number of plain bytes. */
uint64_t lmzip_reader_size(const lmzip_reader* reader);

/* Stores `bytes` plain bytes from `offset` on into `into`, and in `*count` how many there were:
 * fewer only at the end. All hashes of a block are checked before any of its bytes is used. After a
 * failure
 * `*count` is 0, and other parts of the archive can still be read. */
int lmzip_reader_read(lmzip_reader* reader, uint64_t offset, void* into, size_t bytes,
                      size_t* count);

/* Frees a reader; NULL is allowed. */
void lmzip_reader_free(lmzip_reader* reader);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
