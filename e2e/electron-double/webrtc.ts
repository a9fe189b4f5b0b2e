import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { chromiumLaunch } from '../../src/renderer/ui/testing/chromium.ts'

/**
 * Starts a browser with a policy for WebRTC's addresses. Chromium's headless shell reads it from a
 * switch, a complete Chromium from its preferences.
 */
function launch(profile: string, policy: string | undefined, switches: readonly string[]) {
  const args = [...(chromiumLaunch.args ?? []), ...switches]
  if (policy !== undefined) {
    args.push(`--force-webrtc-ip-handling-policy=${policy}`)
    mkdirSync(join(profile, 'Default'))
    writeFileSync(
      join(profile, 'Default', 'Preferences'),
      JSON.stringify({ webrtc: { ip_handling_policy: policy } }),
    )
  }
  return chromium.launchPersistentContext(profile, { ...chromiumLaunch, args })
}

/**
 * Milliseconds to wait for a packet. A browser sends its first ones within some milliseconds, and
 * keeps trying a server that it can't reach for half a minute.
 */
const wait = 6000

/**
 * Whether a page that has a stranger's STUN and TURN servers sends them anything, by protocol, in
 * a browser with this policy and these switches.
 */
export async function sentByWebRtc(
  policy?: string,
  switches: readonly string[] = [],
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
  const profile = mkdtempSync(join(tmpdir(), 'keydesk-webrtc-'))
  const browser = await launch(profile, policy, switches)
  try {
    const page = await browser.newPage()
    await page.route('**', (route) => route.fulfill({ body: '', contentType: 'text/html' }))
    await page.goto('https://keydesk.test/')
    const ports = { udp: stun.address().port, tcp: (turn.address() as AddressInfo).port }
    const waited = delay(wait, undefined, { ref: false })
    await Promise.race([page.evaluate(gatherCandidates, ports), both.promise, waited])
    return sent
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
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
