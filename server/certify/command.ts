/** The command line of the receiver certificate: `keydesk-sandbox certify --url …`. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isOnThisComputer } from '../api/dashboard/certificate.ts'
import { UsageError } from '../options.ts'
import { startSandbox } from '../sandbox.ts'
import { anySeed } from './any-seed.ts'
import { certify, type CertifyOptions } from './certify.ts'
import { HandlerError } from './handler.ts'
import { byLog, byProbe, ObservationError } from './observed.ts'
import { startOrders } from './orders.ts'
import { jsonReport, junitReport, readableReport } from './report.ts'
import { readSchedule } from './schedule.ts'

const certifyUsage = `Usage: keydesk-sandbox certify --url URL (--probe URL | --log FILE) [options]
  --url URL         where your handler receives webhooks, on this computer
  --probe URL       address or path where it reports its state as JSON:
                    {"units": [{"id", "order"}], "orders": [{"id", "status"}]}
  --log FILE        or a file to which it appends lines: {"order", "unit"} and {"order", "status"}
  --start COMMAND   starts the handler; it is then also killed and started again. It gets
                    KEYDESK_BASE_URL, KEYDESK_API_KEY, KEYDESK_WEBHOOK_SECRET and PORT
  --schedules N     how many schedules run (500)
  --seed N          repeats the same schedules (random)
  --no-kills        never kills the handler
  --replay TEXT     runs one schedule, as a report shows it
  --json FILE       also writes the result as JSON
  --junit FILE      also writes it as JUnit XML
Exit status: 0 certified, 1 not certified, 2 it could not run.`

type Command = {
  readonly options: Omit<CertifyOptions, 'orders'>
  readonly json: string | undefined
  readonly junit: string | undefined
}

function given(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        probe: { type: 'string' },
        log: { type: 'string' },
        start: { type: 'string' },
        schedules: { type: 'string', default: '500' },
        seed: { type: 'string' },
        'no-kills': { type: 'boolean', default: false },
        replay: { type: 'string' },
        json: { type: 'string' },
        junit: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : '')
  }
}

function whole(text: string, name: string, least: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least)) throw new UsageError(`--${name} must be a whole number from ${least} on.`)
  return value
}

function address(text: string | undefined, name: string, base?: URL): URL {
  const url = URL.parse(text ?? '', base?.href)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--${name} must be an address such as http://127.0.0.1:3000/hook.`)
  return url
}

/**
 * Parses the arguments; null means that help was requested.
 *
 * @throws UsageError
 */
export function readCommand(args: readonly string[], anySeed: () => number): Command | null {
  const values = given(args)
  if (values.help) return null
  const url = address(values.url, 'url')
  if (!isOnThisComputer(url.href))
    throw new UsageError('--url must be on this computer: the certificate sends forged events.')
  if ((values.probe === undefined) === (values.log === undefined))
    throw new UsageError('Use either --probe or --log, so that the result can be checked.')
  const replay = values.replay === undefined ? undefined : readSchedule(values.replay)
  if (replay === null) throw new UsageError('--replay must be a schedule as a report shows it.')
  return {
    options: {
      url,
      start: values.start ?? null,
      observe:
        values.log === undefined ? byProbe(address(values.probe, 'probe', url)) : byLog(values.log),
      schedules: whole(values.schedules, 'schedules', 1),
      seed: values.seed === undefined ? anySeed() : whole(values.seed, 'seed', 0),
      kills: !values['no-kills'],
      ...(replay === undefined ? {} : { replay }),
      announce: (env) => {
        process.stderr.write(
          `${Object.entries(env)
            .map(([name, value]) => `${name}=${value}`)
            .join('\n')}\nStart your handler with these. Waiting for it at ${url.host}.\n`,
        )
      },
    },
    json: values.json,
    junit: values.junit,
  }
}

/** Runs the certificate, prints its report, and returns the exit status. */
export async function certifyMain(args: readonly string[]): Promise<number> {
  try {
    const command = readCommand(args, anySeed)
    if (command === null) {
      process.stdout.write(`${certifyUsage}\n`)
      return 0
    }
    const orders = await startOrders(startSandbox)
    const certificate = await certify({ ...command.options, orders }).finally(() => orders.stop())
    if (command.json !== undefined) writeFileSync(command.json, jsonReport(certificate))
    if (command.junit !== undefined) writeFileSync(command.junit, junitReport(certificate))
    process.stdout.write(readableReport(certificate))
    return certificate.failed === 0 ? 0 : 1
  } catch (error) {
    const expected = [UsageError, HandlerError, ObservationError].some(
      (type) => error instanceof type,
    )
    if (!expected) throw error
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}
