import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Backup } from './backup.ts'

/** Implements the backup contract. */
export function createBackupRouter(backup: Backup) {
  const os = implement(contract.backup)
  return os.router({
    make: os.make.handler(({ input }) => backup.make(input)),
    read: os.read.handler(({ input }) => backup.read(input)),
    drop: os.drop.handler(({ input }) => backup.drop(input)),
    receive: os.receive.handler(({ input }) => backup.receive(input)),
    check: os.check.handler(({ input }) => backup.check(input)),
    restore: os.restore.handler(({ input }) => backup.restore(input)),
    cancel: os.cancel.handler(() => backup.cancel()),
    state: os.state.handler(() => backup.state()),
    dropReplaced: os.dropReplaced.handler(({ input }) => backup.dropReplaced(input)),
  })
}
