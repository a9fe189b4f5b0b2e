/** Requests with an Idempotency-Key (Decisions 17 and 29). */
import { agree } from './difference.ts'
import type { Model } from './state.ts'
import { DAY } from './state.ts'
import type { Answer } from './system.ts'
import type { Request, World } from './world.ts'
import { count } from './world.ts'

/** Statuses of responses that are stored. */
const stored = new Set([200, 201, 402, 409, 422])

/** The meaning of a body, regardless of the order of its members. */
function meaning(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => meaning(each)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${name}:${meaning(each)}`)
    .join()}}`
}

const scopeOf = ({ asking, account }: Request): string =>
  [account, asking.method, asking.path.split('?')[0], asking.repeat].join(' ')

/**
 * Checks a response: as a replay or a conflict if its Idempotency-Key is known, otherwise as the
 * first one, which changes the model.
 */
export async function judge(
  model: Model,
  world: World,
  request: Request,
  answer: Answer,
): Promise<void> {
  if (request.flawed === true) {
    agree(
      answer,
      { status: 400, body: { error: { code: 'VALIDATION_ERROR' } } },
      `a flawed ${request.asking.path}`,
    )
    return count(world, request.asking.path.includes('/orders') ? 'order' : 'upload', answer)
  }
  if (request.asking.repeat === undefined) return request.first(model, world, answer)
  const scope = scopeOf(request)
  const body = meaning(request.asking.body ?? {})
  const known = model.repeats.get(scope)
  if (known && model.now < known.at + DAY) {
    if (known.body === body)
      agree(answer, { status: known.status, text: known.text }, `${scope} again`, 'twice')
    else
      agree(
        answer,
        { status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } },
        `${scope} with another body`,
      )
    return count(world, known.body === body ? 'replay' : 'other body', answer)
  }
  const at = model.now
  await request.first(model, world, answer)
  if (stored.has(answer.status))
    model.repeats.set(scope, { body, at, status: answer.status, text: answer.text })
  if (!world.sent.some((each) => scopeOf(each) === scope)) world.sent.push(request)
}

export async function send(model: Model, world: World, request: Request): Promise<void> {
  await judge(model, world, request, await world.system.call(request.asking))
}
