import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { suggestionCommands } from './curl.ts'

const suggestion = {
  fingerprint: 'abc',
  steps: [{ method: 'DELETE', path: '/dashboard/faults', body: null }],
  waitMs: 1200,
  request: {
    method: 'POST',
    path: '/v1/orders',
    query: 'wait=5',
    idempotencyKey: 'order-1',
    body: { externalId: "Mara's order; $(id)" },
  },
  changes: [],
  status: 201,
  tried: 2,
  durationMs: 40,
}

test('writes the suggestion as commands with variables in place of keys', () => {
  expect(suggestionCommands('http://127.0.0.1:4600', suggestion).split('\n')).toEqual([
    String.raw`curl -X DELETE 'http://127.0.0.1:4600/dashboard/faults' \ `.trimEnd(),
    '  -H "Authorization: Bearer $KEYDESK_DASHBOARD_TOKEN"',
    'sleep 2',
    String.raw`curl -X POST 'http://127.0.0.1:4600/v1/orders?wait=5' \ `.trimEnd(),
    String.raw`  -H "Authorization: Bearer $KEYDESK_API_KEY" \ `.trimEnd(),
    String.raw`  -H 'Idempotency-Key: order-1' \ `.trimEnd(),
    String.raw`  -H 'Content-Type: application/json' \ `.trimEnd(),
    String.raw`  -d '{"externalId":"Mara'\''s order; $(id)"}'`,
  ])
})

test.skipIf(process.platform === 'win32')('a shell reads every value as it was', () => {
  const commands = suggestionCommands('http://127.0.0.1:4600', { ...suggestion, steps: [] })
  const script = `sleep() { :; }; curl() { for word; do printf '%s\\n' "$word"; done; }; ${commands}`
  const words = execFileSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { KEYDESK_API_KEY: 'secret' },
  }).split('\n')
  expect(words).toContain('Authorization: Bearer secret')
  expect(words).toContain('{"externalId":"Mara\'s order; $(id)"}')
})
