import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Passphrases } from '../passphrases/passphrases.ts'
import type { Backup } from './backup.ts'

/** Implements the backup contract. */
export function createBackupRouter(backup: Backup, passphrases: Passphrases) {
  const os = implement(contract.backup)
  return os.router({
    create: os.create.handler(async ({ input }) => {
      await passphrases.requireStrong(input.passphrase)
      return backup.create(input)
    }),
    read: os.read.handler(({ input }) => backup.read(input)),
    discard: os.discard.handler(({ input }) => backup.discard(input)),
    upload: os.upload.handler(({ input }) => backup.upload(input)),
    check: os.check.handler(({ input }) => backup.check(input)),
    checkBeforeUpdate: os.checkBeforeUpdate.handler(({ input }) => backup.checkBeforeUpdate(input)),
    restore: os.restore.handler(({ input }) => backup.restore(input)),
    cancel: os.cancel.handler(() => backup.cancel()),
    state: os.state.handler(() => backup.state()),
    deleteReplaced: os.deleteReplaced.handler(({ input }) => backup.deleteReplaced(input)),
  })
}
