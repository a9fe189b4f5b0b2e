import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NetworkError, ServiceError } from '../../../../server/api/client/client-errors.ts'
import { operationIds } from '../../../../server/api/endpoints/endpoints.ts'
import { errorCodes } from '../../../../server/api/errors.ts'
import { problemCodes } from '../../../contract/problem-codes.ts'
import { heldProblem, noResponseProblem, rejectionProblem } from './problems.ts'
import { callKind } from './subjects.ts'

const sentence = /^[\p{Lu}\d“][^]*[.?!]$/u

test.each(errorCodes)(
  'says of %s what happened, whether anything moved, and what to do',
  (code) => {
    for (const operation of operationIds)
      for (const status of [400, 409, 500]) {
        const problem = rejectionProblem(
          operation,
          new ServiceError({
            code,
            message: 'no',
            status,
            requestId: 'req_1',
            details: {},
            retryAfterMs: null,
          }),
        )
        expect(problem.what, operation).toMatch(sentence)
        expect(problem.next, operation).toMatch(sentence)
        if (callKind(operation) === 'change') expect(problem.effect, operation).toMatch(sentence)
      }
  },
)

test('says of a call without a response, and of one that was held back, what to do', () => {
  for (const operation of operationIds)
    for (const problem of [
      noResponseProblem(operation, new NetworkError('ECONNREFUSED', false)),
      noResponseProblem(operation, new NetworkError('ECONNRESET', true)),
      heldProblem(operation, 3000),
    ]) {
      expect(problem.what, operation).toMatch(sentence)
      expect(problem.next, operation).toMatch(sentence)
      if (callKind(operation) === 'change') expect(problem.effect, operation).toMatch(sentence)
    }
})

const sources = ['src/core', 'src/renderer', 'src/platform', 'src/contract']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|problem-codes\.ts$|testing/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test.each(problemCodes.filter((code) => !errorCodes.some((each) => each === code)))(
  'creates %s somewhere',
  (code) => {
    const quoted = new RegExp(`['"]${code}['"]`)
    expect(sources.some(({ text }) => quoted.test(text))).toBe(true)
  },
)

test('ends every problem of Keydesk’s own with a next step', () => {
  const calls = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bfailure\(\s*'[A-Z_]+',\s*('[^']*'|`[^`]*`),\s*('[^']*'|`[^`]*`)/g)].map(
      ([, what = '', next = '']) => ({ path, what: what.slice(1, -1), next: next.slice(1, -1) }),
    ),
  )
  expect(calls.length).toBeGreaterThan(60)
  expect(
    calls.filter(({ what, next }) => !/[.?!}] ?$/.test(what) || !/[.?!}] ?$/.test(next)),
  ).toEqual([])
})
