import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/websocket'
import type { ContractRouterClient } from '@orpc/contract'
import type { Page } from '@playwright/test'
import { WebSocket as Socket } from 'ws'
import type { Contract } from '../../src/contract/index.ts'

/**
 * A separate connection to a page's console with that page's session, for actions that no page
 * offers.
 */
export async function connectionTo(
  page: Page,
): Promise<{ rpc: ContractRouterClient<Contract>; close: () => void }> {
  const { host, origin, session } = await page.evaluate(() => ({
    host: location.host,
    origin: location.origin,
    session: sessionStorage.getItem('keydesk.session') ?? '',
  }))
  // Node asks the system for the address of `*.localhost`, which not every system knows.
  const { port } = new URL(origin)
  const socket = new Socket(`ws://127.0.0.1:${port}/rpc`, ['keydesk', `session.${session}`], {
    origin,
    headers: { Host: host },
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    rpc: createORPCClient(new RPCLink({ websocket: socket as unknown as WebSocket })),
    close: () => socket.close(),
  }
}
