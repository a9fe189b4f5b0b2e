import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Activity } from './activity.ts'

/** Binds the contract's procedures to the activity feature. */
export function createActivityRouter(activity: Activity) {
  const os = implement(contract.activity)
  return os.router({
    list: os.list.handler(({ input: { window, ...choice } }) =>
      activity.list(choice, window.offset, window.limit),
    ),
    removedAccounts: os.removedAccounts.handler(() => activity.removedAccounts()),
    export: os.export.handler(({ input: { form, ...choice } }) => activity.export(choice, form)),
  })
}
