import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'

/**
 * Whether a page that has a stranger's STUN and TURN servers sends them anything, by protocol, in
 * a browser with these switches.
 */
export async function sentByWebRtc(
  switches: readonly string[],
): Promise<{ udp: boolean; tcp: boolean }> {
  const sent = { udp: false, tcp: false }
  const both = Promise.withResolvers<void>()
  const receive = (protocol: keyof typeof sent): void => {
    sent[protocol] = true
    if (sent.udp && sent.tcp) both.resolve()
  }
  const stun = createSocket('udp4').on('message', () => receive('udp'))
  stun.bind(0, '127.0.0.1')
  await once(stun, 'listening')
  const turn = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => receive('tcp'))
  })
  await once(turn.listen(0, '127.0.0.1'), 'listening')
  const browser = await chromium.launch({
    ...chromiumLaunch,
    args: [...(chromiumLaunch.args ?? []), ...switches],
  })
  try {
    const page = await browser.newPage()
    await page.route('**', (route) => route.fulfill({ body: '', contentType: 'text/html' }))
    await page.goto('https://keydesk.test/')
    const ports = { udp: stun.address().port, tcp: (turn.address() as AddressInfo).port }
    await Promise.race([page.evaluate(gatherCandidates, ports), both.promise])
    return sent
  } finally {
    await browser.close()
    stun.close()
    turn.close()
  }
}

/** In the page: resolves when the browser has tried every server. */
async function gatherCandidates(ports: { udp: number; tcp: number }): Promise<void> {
  const connection = new RTCPeerConnection({
    iceServers: [
      { urls: `stun:127.0.0.1:${ports.udp}` },
      {
        urls: `turn:127.0.0.1:${ports.tcp}?transport=tcp`,
        username: 'a-key',
        credential: 'anything',
      },
    ],
  })
  connection.createDataChannel('any')
  const gathered = new Promise<void>((done) => {
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState === 'complete') done()
    })
  })
  await connection.setLocalDescription(await connection.createOffer())
  await gathered
}
