/**
 * How to start a program so that neither it nor its child processes write their memory to a file
 * when they crash: it contains keys. Node can't set this limit, but a shell can. Windows writes such
 * files only if it was configured to.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.Platform} [platform]
 * @returns {[program: string, args: string[]]}
 */
export const withoutCoreDumps = (program, args, platform = process.platform) =>
  platform === 'win32'
    ? [program, [...args]]
    : ['/bin/sh', ['-c', 'ulimit -c 0; exec "$0" "$@"', program, ...args]]
