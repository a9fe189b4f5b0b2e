/** A branch on which requests are tried, and what can be looked up there. */
import { z } from 'zod'
import { type ErrorBody, tolerantErrorBodySchema } from '../../api/errors.ts'
import { type Attempt, searchOf, type Sender, type Step } from './attempt.ts'

export type TrialRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload?: string
  readonly address: string
}

export type TrialAnswer = {
  readonly status: number
  readonly requestId: string
  readonly body: unknown
}

/** A service with a copy of the present data that sends nothing and is never listened to. */
export interface TrialService {
  readonly dashboardToken: string
  send(request: TrialRequest): Promise<TrialAnswer>
  /** The holder of a valid key. */
  holder(api: 'partner' | 'seller', sha256: string): Sender | null
  /** Lets the next trial begin. */
  end(): void
}

/** Starts a trial on the present data, once earlier ones have ended. */
export type StartTrial = () => Promise<TrialService>

export type Refusal = ErrorBody['error'] & { readonly status: number }

const list = z.looseObject({ results: z.array(z.looseObject({})) })
export type Row = Readonly<Record<string, unknown>>

const isOk = ({ status }: TrialAnswer): boolean => status >= 200 && status < 300

/** Every text and number of a response, by its path: `id`, `offer.id`. */
function fieldsOf(value: unknown, prefix = ''): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number') return [[prefix, String(value)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    fieldsOf(part, prefix === '' ? name : `${prefix}.${name}`),
  )
}

/** Sends attempts to one trial service. */
export class Trial {
  readonly #service: TrialService
  readonly #address: string
  readonly #keys = new Map<string, string>()
  /** The paths of these keys. */
  readonly #issued: string[] = []
  #fields = new Map<string, string>()
  #applied: readonly Step[] = []

  constructor(service: TrialService, address: string) {
    this.#service = service
    this.#address = address
  }

  /** Whether the steps that were sent so far are the first ones of the attempt. */
  fits({ steps }: Attempt): boolean {
    return this.#applied.every(
      (step, index) => JSON.stringify(step) === JSON.stringify(steps[index]),
    )
  }

  holder(api: 'partner' | 'seller', sha256: string): Sender | null {
    return this.#service.holder(api, sha256)
  }

  /**
   * Sends the missing steps and the request. Returns the refusal; null when the request passed, and
   * undefined when a step failed.
   */
  async run(
    attempt: Attempt,
  ): Promise<{ status: number; requestId: string; refusal: Refusal | null } | undefined> {
    for (const step of attempt.steps.slice(this.#applied.length)) {
      const answer = await this.#send(step)
      this.#applied = [...this.#applied, step]
      if (!isOk(answer)) return undefined
      for (const [name, value] of fieldsOf(answer.body)) this.#fields.set(name, value)
    }
    const answer = await this.#send(attempt)
    const { status, requestId } = answer
    if (isOk(answer)) return { status, requestId, refusal: null }
    const { error } = tolerantErrorBodySchema.parse(answer.body)
    return { status, requestId, refusal: { ...error, status } }
  }

  /** The rows of a list; none if it can't be read. */
  async list(sender: Sender, path: string): Promise<Row[]> {
    return (
      list.safeParse((await this.#send({ sender, method: 'GET', path })).body).data?.results ?? []
    )
  }

  /** One resource; null if it can't be read. */
  async read(sender: Sender, path: string): Promise<Row | null> {
    const answer = await this.#send({ sender, method: 'GET', path })
    return isOk(answer) ? z.looseObject({}).parse(answer.body) : null
  }

  end(): void {
    this.#service.end()
  }

  /** Revokes the keys that were issued for the senders. */
  async revokeKeys(): Promise<void> {
    for (const path of this.#issued)
      await this.#send({ sender: { api: 'dashboard' }, method: 'DELETE', path })
  }

  #filled(text: string): string {
    return text.replace(/\{\{([\w.]+)\}\}/g, (_, name: string) => this.#fields.get(name) ?? '')
  }

  async #send({
    sender,
    method,
    path,
    body,
    ...more
  }: Step & Partial<Pick<Attempt, 'query' | 'idempotencyKey'>>): Promise<TrialAnswer> {
    const query = searchOf(more.query ?? [])
    const key = more.idempotencyKey ?? null
    const payload = body === undefined ? undefined : this.#filled(JSON.stringify(body))
    return this.#service.send({
      method,
      url: this.#filled(path) + (query.size === 0 ? '' : `?${query.toString()}`),
      headers: {
        authorization: `Bearer ${await this.#keyOf(sender)}`,
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === undefined ? {} : { payload }),
      address: this.#address,
    })
  }

  /** A key for the sender, issued on the branch. */
  async #keyOf(sender: Sender): Promise<string> {
    if (sender.api === 'dashboard') return this.#service.dashboardToken
    const name = JSON.stringify(sender)
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const { api, id, ...kind } = sender
    const path = `/dashboard/${api}s/${id}/keys`
    const answer = await this.#send({
      sender: { api: 'dashboard' },
      method: 'POST',
      path,
      body: kind,
    })
    const issued = z.object({ id: z.string(), key: z.string() }).safeParse(answer.body).data
    if (issued !== undefined) this.#issued.push(`${path}/${issued.id}`)
    const key = issued?.key ?? 'none'
    this.#keys.set(name, key)
    return key
  }
}
