import { expect, test } from 'vitest'
import { PageGuard } from './page-guard.tsx'

test('shows another page after one failed to render, and the failed one only on request', () => {
  const start = { failed: false, place: '/sales' }
  const failed = { ...start, ...PageGuard.getDerivedStateFromError() }
  const stateAt = (place: string) => ({
    ...failed,
    ...PageGuard.getDerivedStateFromProps({ children: null, place }, failed),
  })
  expect(stateAt('/sales')).toEqual({ failed: true, place: '/sales' })
  expect(stateAt('/offers')).toEqual({ failed: false, place: '/offers' })
})
