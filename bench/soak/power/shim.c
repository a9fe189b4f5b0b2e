/*
 * Preloaded into a process by the soak `power`: records every change below one folder in a log, in
 * the order in which the process made them, and what the process writes to its standard output.
 * `disk.ts` computes from the log what a power loss could leave of the folder. fsync and fdatasync
 * are recorded instead of executed: nothing here depends on the real disk.
 *
 * KEYDESK_POWER_ROOT: the folder. KEYDESK_POWER_LOG: the log. KEYDESK_POWER_CONTROL: a file with an
 * int32, the number of further changes after which the process is killed; 0: none.
 *
 * SQLite's shared memory (-shm) isn't recorded: it is rebuilt at the next start.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 65536
#define CLONE_REQUEST 0x40049409 /* FICLONE */

enum kind { OPEN = 1, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK, MAKE_FOLDER, REMOVE_FOLDER, SAY, DATE };

/* One record: this, the path, the second path or the bytes. Read by log.ts. */
struct record {
  uint32_t kind;
  int32_t file;
  int64_t at;
  uint32_t flags;
  uint32_t path_length;
  uint32_t rest_length;
  uint32_t unused;
};

static char root[PATH_MAX];
static size_t root_length;
static int log_file = -1;
static volatile int32_t *left;
/* The inodes of open files that are recorded. */
static ino_t recorded[MOST_FILES];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

#define REAL(result, name, ...)                                                                    \
  static result (*real_##name)(__VA_ARGS__);                                                       \
  if (real_##name == NULL) real_##name = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

/* Not every function that opens a file is replaced here, so another file can have the number since. */
static int is_recorded(int file) {
  struct stat facts;
  if (file < 0 || file >= MOST_FILES || recorded[file] == 0) return 0;
  if (fstat(file, &facts) != 0 || facts.st_ino != recorded[file]) recorded[file] = 0;
  return recorded[file] != 0;
}

__attribute__((constructor)) static void start(void) {
  const char *folder = getenv("KEYDESK_POWER_ROOT");
  const char *log = getenv("KEYDESK_POWER_LOG");
  const char *control = getenv("KEYDESK_POWER_CONTROL");
  if (folder == NULL || log == NULL || control == NULL) return;
  strncpy(root, folder, sizeof root - 1);
  root_length = strlen(root);
  int file = syscall(SYS_openat, AT_FDCWD, control, O_RDWR | O_CLOEXEC);
  left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (left == MAP_FAILED || log_file < 0) abort();
  unsetenv("LD_PRELOAD");
}

/* Before a change: the process may end here. */
static void begin(void) {
  pthread_mutex_lock(&one_at_a_time);
  if (*left > 0 && --*left == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
}

static void note(enum kind kind, int file, int64_t at, uint32_t flags, const char *path,
                 const struct iovec *rest, int parts, size_t length) {
  struct record record = {kind, file, at, flags, path == NULL ? 0 : strlen(path), length, 0};
  struct iovec all[2 + 64] = {{&record, sizeof record}, {(void *)path, record.path_length}};
  int count = 2;
  for (int part = 0; part < parts && length > 0 && count < 66; part += 1) {
    all[count] = rest[part];
    if (all[count].iov_len > length) all[count].iov_len = length;
    length -= all[count].iov_len;
    count += 1;
  }
  if (length > 0) abort();
  size_t total = sizeof record + record.path_length + record.rest_length;
  if (syscall(SYS_writev, log_file, all, count) != (ssize_t)total) abort();
}

static void end(void) { pthread_mutex_unlock(&one_at_a_time); }

/* Makes a path absolute; returns whether it is recorded. */
static int resolve(int folder, const char *path, char *whole) {
  if (log_file < 0) return 0;
  if (path[0] == '/')
    snprintf(whole, PATH_MAX, "%s", path);
  else {
    char base[PATH_MAX] = "";
    if (folder == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
    if (strlen(base) + strlen(path) + 2 > PATH_MAX) return 0;
    strcpy(whole, base);
    strcat(whole, "/");
    strcat(whole, path);
  }
  size_t length = strlen(whole);
  while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
  if (strncmp(whole, root, root_length) != 0) return 0;
  if (whole[root_length] != '/' && whole[root_length] != 0) return 0;
  return length < 4 || strcmp(whole + length - 4, "-shm") != 0;
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  int records = resolve(folder, path, whole);
  if (records) begin();
  int file = syscall(SYS_openat, folder, path, flags, mode);
  int failed = errno;
  struct stat facts;
  if (file >= 0 && file < MOST_FILES)
    recorded[file] = records && fstat(file, &facts) == 0 ? facts.st_ino : 0;
  if (records && file >= 0) note(OPEN, file, 0, flags, whole, NULL, 0, 0);
  if (records) end();
  errno = failed;
  return file;
}

#define MODE_OF(flags)                                                                             \
  mode_t mode = 0;                                                                                 \
  if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                                     \
    va_list rest;                                                                                  \
    va_start(rest, flags);                                                                         \
    mode = va_arg(rest, mode_t);                                                                   \
    va_end(rest);                                                                                  \
  }

int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_file(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_file(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE_OF(flags)
  return open_file(folder, path, flags | O_LARGEFILE, mode);
}

/* Where the next bytes of a file go; -1 if it is none. */
static off_t place_of(int file, off_t at) {
  struct stat facts;
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
  if ((fcntl(file, F_GETFL) & O_APPEND) != 0) return facts.st_size;
  return at >= 0 ? at : lseek(file, 0, SEEK_CUR);
}

static ssize_t write_parts(int file, const struct iovec *parts, int count, off_t at) {
  int says = file == STDOUT_FILENO && log_file >= 0;
  if (!says && !is_recorded(file))
    return at >= 0 ? syscall(SYS_pwritev, file, parts, count, at, 0)
                   : syscall(SYS_writev, file, parts, count);
  begin();
  off_t place = says ? 0 : place_of(file, at);
  ssize_t written = at >= 0 ? syscall(SYS_pwritev, file, parts, count, at, 0)
                            : syscall(SYS_writev, file, parts, count);
  int failed = errno;
  if (written > 0 && place >= 0)
    note(says ? SAY : WRITE, file, place, 0, NULL, parts, count, written);
  end();
  errno = failed;
  return written;
}

ssize_t write(int file, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(file, &part, 1, -1);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  return write_parts(file, parts, count, -1);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  struct iovec part = {(void *)bytes, length};
  return write_parts(file, &part, 1, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  return pwrite(file, bytes, length, at);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  return write_parts(file, parts, count, at);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t at) {
  return write_parts(file, parts, count, at);
}

/* Copies inside the kernel would not be seen: callers fall back to read and write. */
ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length,
                        unsigned flags) {
  if (!is_recorded(to)) return syscall(SYS_copy_file_range, from, from_at, to, to_at, length, flags);
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t length) {
  if (!is_recorded(to)) return syscall(SYS_sendfile, to, from, at, length);
  char bytes[65536];
  size_t most = length < sizeof bytes ? length : sizeof bytes;
  ssize_t count = at == NULL ? read(from, bytes, most) : pread(from, bytes, most, *at);
  if (count <= 0) return count;
  ssize_t written = write(to, bytes, count);
  if (written > 0 && at != NULL) *at += written;
  return written;
}
ssize_t sendfile(int to, int from, off_t *at, size_t length) {
  return sendfile64(to, from, at, length);
}
int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *value = va_arg(rest, void *);
  va_end(rest);
  if (request == CLONE_REQUEST && is_recorded(file)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return syscall(SYS_ioctl, file, request, value);
}
long syscall(long number, ...) {
  REAL(long, syscall, long, ...);
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range && is_recorded((int)c)) {
    errno = ENOSYS;
    return -1;
  }
  return real_syscall(number, a, b, c, d, e, f);
}

static int sync_file(int file, long call) {
  if (!is_recorded(file)) return syscall(call, file);
  begin();
  note(SYNC, file, 0, 0, NULL, NULL, 0, 0);
  end();
  return 0;
}
int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int ftruncate(int file, off_t length) {
  if (!is_recorded(file)) return syscall(SYS_ftruncate, file, length);
  begin();
  int result = syscall(SYS_ftruncate, file, length);
  int failed = errno;
  if (result == 0) note(TRUNCATE, file, length, 0, NULL, NULL, 0, 0);
  end();
  errno = failed;
  return result;
}
int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }
int truncate(const char *path, off_t length) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = ftruncate(file, length);
  int failed = errno;
  close(file);
  errno = failed;
  return result;
}
int truncate64(const char *path, off64_t length) { return truncate(path, length); }

/* A change of names; `second` for those with two. */
static int change_names(enum kind kind, int folder, const char *path, int other, const char *second,
                        long call, long flags, long last) {
  char whole[PATH_MAX], whole_second[PATH_MAX];
  int records = resolve(folder, path, whole);
  if (second != NULL) records = resolve(other, second, whole_second) || records;
  if (records) begin();
  int result = second != NULL ? syscall(call, folder, path, other, second, flags)
                              : syscall(call, folder, path, last);
  int failed = errno;
  if (records && result == 0) {
    struct iovec part = {whole_second, second == NULL ? 0 : strlen(whole_second)};
    note(kind, -1, 0, 0, whole, &part, 1, part.iov_len);
  }
  if (records) end();
  errno = failed;
  return result;
}

int rename(const char *from, const char *to) {
  return change_names(RENAME, AT_FDCWD, from, AT_FDCWD, to, SYS_renameat2, 0, 0);
}
int renameat(int folder, const char *from, int other, const char *to) {
  return change_names(RENAME, folder, from, other, to, SYS_renameat2, 0, 0);
}
int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
  return change_names(RENAME, folder, from, other, to, SYS_renameat2, flags, 0);
}
int link(const char *from, const char *to) {
  return change_names(LINK, AT_FDCWD, from, AT_FDCWD, to, SYS_linkat, 0, 0);
}
int unlinkat(int folder, const char *path, int flags) {
  return change_names((flags & AT_REMOVEDIR) != 0 ? REMOVE_FOLDER : UNLINK, folder, path, 0, NULL,
                      SYS_unlinkat, 0, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? rmdir(path) : unlink(path);
}
int mkdirat(int folder, const char *path, mode_t mode) {
  return change_names(MAKE_FOLDER, folder, path, 0, NULL, SYS_mkdirat, 0, mode);
}
/* A date; `path` is null if `file` is the file itself and not a folder. */
static int change_date(int file, const char *path, const struct timespec times[2], int flags) {
  char link[64], whole[PATH_MAX];
  int records = 0;
  if (times != NULL && path != NULL)
    records = resolve(file, path, whole);
  else if (times != NULL && is_recorded(file)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, whole, sizeof whole - 1);
    records = length > 0;
    if (records) whole[length] = 0;
  }
  if (records) begin();
  int result = syscall(SYS_utimensat, file, path, times, flags);
  int failed = errno;
  if (records && result == 0)
    /* Callers compute with fractions of seconds, so 123 ms arrive as 122.999999. */
    note(DATE, -1, times[1].tv_sec * 1000 + (times[1].tv_nsec + 500000) / 1000000, 0, whole, NULL, 0,
         0);
  if (records) end();
  errno = failed;
  return result;
}
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  return change_date(folder, path, times, flags);
}
int futimens(int file, const struct timespec times[2]) {
  return change_date(file, NULL, times, 0);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
char *mkdtemp(char *template) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
  char *end_of = template + strlen(template) - 6;
  for (unsigned tries = 0; tries < 1000; tries += 1) {
    uint32_t random;
    syscall(SYS_getrandom, &random, sizeof random, 0);
    for (int at = 0; at < 6; at += 1) end_of[at] = letters[(random >> (5 * at)) & 31];
    if (mkdir(template, 0700) == 0) return template;
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}
