import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startSandbox } from './sandbox.ts'
import { testOptions } from './testing/sandbox-options.ts'
import { createSmtpPost } from './smtp-post.ts'

/** A minimal mail server: accepts everything, or rejects every recipient. */
function mailServer(refuses: boolean): Promise<{ server: Server; url: string; letters: string[] }> {
  const letters: string[] = []
  const server = createServer((socket) => {
    let letter: string | null = null
    let rest = ''
    socket.write('220 mail.example\r\n')
    socket.on('data', (part) => {
      rest += part.toString()
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (letter !== null) {
          if (line === '.') {
            letters.push(letter)
            letter = null
            socket.write('250 taken\r\n')
          } else letter += `${line}\n`
        } else if (line === 'DATA') {
          letter = ''
          socket.write('354 go on\r\n')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else
          socket.write(line.startsWith('RCPT') && refuses ? '550 nobody here\r\n' : '250 yes\r\n')
      }
    })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        server,
        letters,
        url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
      }),
    )
  })
}

let close = (): void => {}
afterEach(() => close())

test('an e-mail reaches the mail server as stored', async () => {
  const { server, url, letters } = await mailServer(false)
  const post = await createSmtpPost(url, { info: () => {}, error: () => {} })
  close = () => {
    post.close()
    server.close()
  }
  post.send({
    to: 'ada@shop.example',
    subject: 'Your balance was topped up by EUR 12.40',
    text: 'EUR 12.40 arrived.',
  })
  await expect.poll(() => letters).toHaveLength(1)
  expect(letters[0]).toContain('To: ada@shop.example')
  expect(letters[0]).toContain('Subject: Your balance was topped up by EUR 12.40')
  expect(letters[0]).toContain('EUR 12.40 arrived.')
})

test('a rejection by the mail server is only logged', async () => {
  const { server, url } = await mailServer(true)
  const errors: string[] = []
  const post = await createSmtpPost(url, {
    info: () => {},
    error: (message, fields) => errors.push(`${message} ${JSON.stringify(fields)}`),
  })
  close = () => {
    post.close()
    server.close()
  }
  post.send({ to: 'ada@shop.example', subject: 's', text: 'secret text' })
  await expect.poll(() => errors).toHaveLength(1)
  expect(errors[0]).toContain('550')
  expect(errors[0]).not.toContain('secret text')
})

test('a top-up sends its e-mail by the mail server of --smtp, and stores it too', async () => {
  const { server, url, letters } = await mailServer(false)
  const sandbox = await startSandbox(testOptions({ smtp: url, limits: true }), {
    info: () => {},
    error: () => {},
  })
  close = () => {
    server.close()
  }
  const { dashboardUrl, dashboardToken } = sandbox.ready
  const dashboard = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, unknown>> => {
    const headers = {
      authorization: `Bearer ${dashboardToken}`,
      'content-type': 'application/json',
    }
    return (await (
      await fetch(`${dashboardUrl}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json()) as Record<string, unknown>
  }
  const { id } = await dashboard('POST', '/partners', { name: 'Ada', email: 'ada@shop.example' })
  await dashboard('POST', `/partners/${String(id)}/top-ups`, { mode: 'live', amount: 12.4 })
  await expect.poll(() => letters).toHaveLength(1)
  expect(letters[0]).toContain('To: ada@shop.example')
  expect(letters[0]).toContain('12.40')
  expect((await dashboard('GET', `/partners/${String(id)}/emails`))['total']).toBe(1)
  await sandbox.stop()
})
