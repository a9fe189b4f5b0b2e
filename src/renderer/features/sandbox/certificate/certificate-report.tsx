import { IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { t } from '../../../../contract/localization/localized.ts'
import type {
  CertificateResult,
  SandboxCertificate,
} from '../../../../contract/sandbox/sandbox-certificate.ts'
import { saveBlob } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { CopyButton } from '../../../ui/controls/buttons/copy-button.tsx'
import { FigureStrip } from '../../../ui/data-display/facts.tsx'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { formatCount } from '../../../ui/format.ts'
import sandbox from '../sandbox.module.css'
import styles from './certificate.module.css'
import { Sequence } from './sequence.tsx'

const save = (name: string, text: string): void =>
  saveBlob(name, new Blob([text], { type: 'application/octet-stream' }))

/** The verdict, the promises with the schedules that tested them, and each failure in few steps. */
export function CertificateReport({
  certificate,
  result,
  onReplay,
}: {
  certificate: SandboxCertificate
  result: CertificateResult
  onReplay: (replay: string) => void
}) {
  const { failures, invariants, deliveries, slowestMs, seconds, schedules, failed } = result
  return (
    <>
      <Verdict certificate={certificate} result={result} />
      <FigureStrip
        label="Figures of the certificate"
        figures={[
          { label: 'Schedules', value: formatCount(schedules) },
          { label: 'Passed', value: formatCount(schedules - failed) },
          { label: 'Failed', value: formatCount(failed) },
          { label: 'Deliveries sent', value: formatCount(deliveries) },
          { label: 'Slowest answer', value: formatCount(Math.round(slowestMs)), detail: 'ms' },
          { label: 'Time', value: formatCount(Math.round(seconds)), detail: 's' },
        ]}
      />
      <div className={styles.report}>
        <div>
          <Promises invariants={invariants} />
          <InCi certificate={certificate} />
        </div>
        <div>
          {failures.map((failure, index) => (
            <Failure
              key={failure.replay}
              failure={failure}
              number={index + 1}
              onReplay={() => onReplay(failure.replay)}
            />
          ))}
          {failures.length > 0 ? null : (
            <p className={styles.quiet}>
              {failed === 0
                ? 'No failures. More schedules with other seeds make the certificate stronger.'
                : 'No failed schedule fails again alone. Your handler may confuse deliveries that arrive ' +
                  'at the same time.'}
            </p>
          )}
        </div>
      </div>
    </>
  )
}

/** The title of a result, and its explanation. */
function verdictOf(
  { replay, schedules: planned }: SandboxCertificate,
  { certified, schedules, failed, failures }: CertificateResult,
): [title: string, text: string] {
  if (replay !== null)
    return certified
      ? ['The failure is gone', 'Run all schedules again to certify your handler.']
      : ['The failure still happens', failures[0]?.title ?? 'It was not found again alone.']
  return certified
    ? [t('screens.sandbox-certified', { count: schedules }), 'Every tested promise holds.']
    : [
        t('screens.sandbox-not-certified', { failed, count: schedules }),
        [
          ...failures.map(({ title }) => `Broken: ${title}.`),
          ...(planned > schedules
            ? ['The other schedules were skipped, because many failed.']
            : []),
        ].join(' '),
      ]
}

function Verdict({
  certificate,
  result,
}: {
  certificate: SandboxCertificate
  result: CertificateResult
}) {
  const [title, text] = verdictOf(certificate, result)
  return (
    <div className={styles.verdict} data-tone={result.certified ? 'ok' : 'bad'} role="status">
      <Mark kind={result.certified ? 'ok' : 'bad'} size={16} />
      <div>
        <b>{title}</b>
        <p>{text}</p>
      </div>
      <small>
        POST <code>{certificate.url}</code>
        <br />
        seed {certificate.seed}
      </small>
      <Button
        icon={<IconDownload size={16} stroke={1.6} />}
        onClick={() => save('certificate.json', result.json)}
      >
        Save JSON
      </Button>
      <Button
        icon={<IconDownload size={16} stroke={1.6} />}
        onClick={() => save('certificate.xml', result.junit)}
      >
        Save JUnit
      </Button>
    </div>
  )
}

function Promises({ invariants }: Pick<CertificateResult, 'invariants'>) {
  return (
    <table className={sandbox.table} aria-label="Promises">
      <thead>
        <tr>
          <th scope="col">Promise</th>
          <th scope="col" style={{ width: 92 }} data-end>
            Checked in
          </th>
          <th scope="col" style={{ width: 76 }} data-end>
            Failed
          </th>
        </tr>
      </thead>
      <tbody>
        {invariants.map(({ id, title, checked, failed }) => (
          <tr key={id} data-quiet={checked === 0 || undefined}>
            <td title={title}>
              <span className={styles.promise}>
                {checked === 0 ? (
                  <Mark kind="skip" label="not tested" />
                ) : (
                  <Mark
                    kind={failed === 0 ? 'ok' : 'bad'}
                    label={failed === 0 ? 'holds' : 'broken'}
                  />
                )}
                <span>{title}</span>
              </span>
            </td>
            <td data-end>{checked === 0 ? 'not tested' : formatCount(checked)}</td>
            <td data-end data-tone={failed > 0 ? 'bad' : undefined}>
              {formatCount(failed)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same schedules as a command. */
function InCi({ certificate: { url, probe, seed } }: { certificate: SandboxCertificate }) {
  const command =
    `npx keydesk-sandbox certify --url ${url ?? ''} --start "npm start" --probe ${probe ?? ''} ` +
    `--seed ${seed ?? 0} --junit certificate.xml`
  return (
    <div className={styles.ci}>
      <p>The same seed gives the same schedules. In CI, with kills:</p>
      <div>
        <code>{command}</code>
        <CopyButton
          label="Copy the command"
          onCopy={() => navigator.clipboard.writeText(command)}
        />
      </div>
    </div>
  )
}

function Failure({
  failure: { invariant, title, detail, schedule, stepsBefore, steps, advice, replay },
  number,
  onReplay,
}: {
  failure: CertificateResult['failures'][number]
  number: number
  onReplay: () => void
}) {
  useShortcut(String(number), onReplay)
  return (
    <section className={styles.failure} aria-label={title}>
      <div>
        <Mark kind="bad" />
        <h2>{title}</h2>
        <Button
          keys={[String(number)]}
          icon={<IconPlayerPlay size={16} stroke={1.6} />}
          onClick={onReplay}
        >
          Replay
        </Button>
      </div>
      <p>
        {detail}{' '}
        {t('screens.sandbox-certificate-shrunk', {
          schedule,
          before: stepsBefore,
          count: steps.length,
        })}
      </p>
      <Sequence replay={replay} invariant={invariant} />
      <ol>
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
      <p>Then the service repeats unanswered deliveries.</p>
      <p>
        <b>Fix:</b> {advice}
      </p>
    </section>
  )
}
