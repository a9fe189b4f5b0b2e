import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxSender } from './sender.ts'

/** Implements the outbox contract. */
export function createOutboxRouter(outbox: Outbox, sender: OutboxSender) {
  const os = implement(contract.outbox)
  return os.router({
    list: os.list.handler(({ input }) => outbox.list(input)),
    entry: os.entry.handler(({ input }) => outbox.entry(input)),
    compare: os.compare.handler(({ input }) => sender.compare(input)),
    send: os.send.handler(({ input }) => sender.send(input)),
    discard: os.discard.handler(({ input }) => outbox.drop(input)),
    restore: os.restore.handler(({ input }) => outbox.restore(input)),
  })
}
