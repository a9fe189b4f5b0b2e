import { expect, it } from 'vitest'
import { testApp } from '../testing/app.ts'
import { dashboardDocument, dashboardOperations } from './dashboard-document.ts'

it('is served without a token, with every operation of the dashboard', async () => {
  const { app } = testApp()
  const answer = await app.inject('/dashboard/openapi.json')
  expect(answer.statusCode).toBe(200)
  const { paths } = answer.json<{
    paths: Record<string, Record<string, { operationId: string; description: string }>>
  }>()
  const described = Object.values(paths).flatMap((methods) => Object.values(methods))
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
    [...dashboardOperations].toSorted(),
  )
  expect(described.filter(({ description }) => description.length < 15)).toEqual([])
})

it('leads from / to the reference, which shows both documents', async () => {
  const { app } = testApp()
  const root = await app.inject('/')
  expect([root.statusCode, root.headers.location]).toEqual([302, '/docs'])
  const { body } = await app.inject('/docs/start.js')
  expect(body).toContain("'/v1'")
  expect(body).toContain("'/dashboard'")
})

it('lists the codes of the dashboard, and only those', () => {
  const { ErrorBody } = dashboardDocument('http://127.0.0.1:4600').components.schemas
  const codes: string[] = Object(ErrorBody).properties.error.properties.code['x-extensible-enum']
  expect(codes).toEqual(
    expect.arrayContaining(['REFERENCE_USED', 'CLAIM_EXISTS', 'CLAIM_WINDOW_CLOSED']),
  )
  expect(codes).not.toContain('PRICE_CHANGED')
})
