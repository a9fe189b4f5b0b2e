import { describe, expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'

describe('the docs page', () => {
  it('is public, and its policy allows only the service’s own files @long', async () => {
    const { app } = testApp()
    const page = await app.inject('/docs')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'self'")
    expect(policy).not.toMatch(/https?:|unsafe-eval|\*/)
    const addresses = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    )
    expect(addresses.length).toBeGreaterThan(4)
    for (const address of addresses) {
      expect(address).toMatch(/^\/(docs|v1)\//)
      expect((await app.inject(address)).statusCode, address).toBe(200)
    }
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)/)
  })

  it('serves the renderer, and returns 304 to a browser that has it', async () => {
    const { app } = testApp()
    const first = await app.inject('/docs/renderer.js')
    expect(first.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(first.body).toContain('createApiReference')
    const again = await app.inject({
      url: '/docs/renderer.js',
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' })
  })

  it('refuses other files like any unknown path', async () => {
    const { app } = testApp()
    expect((await app.inject('/docs/../package.json')).statusCode).toBe(404)
    expect((await app.inject('/docs/js/scalar.js')).json()).toMatchObject({
      error: { code: 'NOT_FOUND' },
    })
    expect((await app.inject({ method: 'POST', url: '/docs' })).statusCode).toBe(404)
  })
})
