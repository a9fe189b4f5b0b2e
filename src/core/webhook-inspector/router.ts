import { implement } from '@orpc/server'
import { contract } from '../../contract/index.ts'
import type { WebhookInspector } from './webhook-inspector.ts'

/** Implements the webhook inspector's contract. */
export function createWebhookInspectorRouter(bench: WebhookInspector) {
  const os = implement(contract.webhookInspector)
  return os.router({
    receiver: os.receiver.handler(({ input }) => bench.receiver(input)),
    listen: os.listen.handler(({ input }) => bench.listen(input)),
    stop: os.stop.handler(({ input }) => bench.stop(input)),
    setAnswer: os.setAnswer.handler(({ input }) => bench.setAnswer(input)),
    setTolerance: os.setTolerance.handler(({ input }) => bench.setTolerance(input)),
    requestTest: os.requestTest.handler(({ input }) => bench.askForTest(input)),
    events: os.events.handler(({ input }) => bench.events(input)),
    event: os.event.handler(({ input }) => bench.event(input)),
    refreshOrder: os.refreshOrder.handler(({ input }) => bench.readAgain(input)),
    paste: os.paste.handler(({ input }) => bench.paste(input)),
    clear: os.clear.handler(({ input }) => bench.clear(input)),
  })
}
