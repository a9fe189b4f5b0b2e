import { SegmentedControl, Textarea } from '@mantine/core'
import { IconArrowUpRight, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { SandboxDispute } from '../../../../contract/sandbox/sandbox-world.ts'
import { rpc } from '../../../lib/core/rpc.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { Fact, Facts } from '../../../ui/data-display/facts.tsx'
import { formatFullMoment } from '../../../ui/format.ts'
import { PanelSection, SidePanel } from '../../../ui/layout/page.tsx'
import styles from '../sandbox.module.css'
import { sandboxAccount, useSandboxAction } from '../use-sandbox-action.ts'

/**
 * One claim, with the actions of its customer and support. The seller replies on their own page.
 */
export function ClaimPanel({ dispute, onClose }: { dispute: SandboxDispute; onClose: () => void }) {
  const { id } = dispute
  const resolved = dispute.status === 'resolved'
  return (
    <SidePanel
      title={dispute.name}
      detail={<span className="kd-mono">{id}</span>}
      onClose={onClose}
      readOnly={resolved}
    >
      <PanelSection title="Claim">
        <Facts>
          <Fact label="Order" mono>
            {dispute.orderId}
          </Fact>
          <Fact label="Unit" mono>
            {dispute.keyId}
          </Fact>
          {dispute.openedAt === null ? null : (
            <Fact label="Claimed">{formatFullMoment(dispute.openedAt)}</Fact>
          )}
          {dispute.escalatesAt === null || dispute.status !== 'open' ? null : (
            <Fact label="Escalates automatically">{formatFullMoment(dispute.escalatesAt)}</Fact>
          )}
        </Facts>
        <p>{dispute.reason}</p>
      </PanelSection>
      {resolved ? (
        <PanelSection>
          <p className={styles.note}>
            Resolved: {dispute.outcome ?? 'closed'}. No more messages are possible.
          </p>
        </PanelSection>
      ) : (
        <WriteSection id={id} />
      )}
      <DecideSection dispute={dispute} />
    </SidePanel>
  )
}

/** Writes to the claim as its customer or as support. */
function WriteSection({ id }: { id: string }) {
  const [author, setAuthor] = useState<'customer' | 'support'>('customer')
  const [body, setBody] = useState('')
  const say = useSandboxAction(
    () => rpc.sandbox.world.say({ id, message: { author, body: body.trim() } }),
    () => ({
      title: author === 'customer' ? 'Sent as the customer' : 'Sent as support',
      text: 'The seller sees it at the next sync.',
    }),
    () => setBody(''),
  )
  return (
    <PanelSection
      title="Write as"
      aside={
        <SegmentedControl
          aria-label="Write as"
          value={author}
          onChange={(value) => setAuthor(value === 'support' ? 'support' : 'customer')}
          data={[
            { value: 'customer', label: 'Customer' },
            { value: 'support', label: 'Support' },
          ]}
        />
      }
    >
      <Textarea
        aria-label="Message"
        autosize
        minRows={3}
        maxRows={10}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <div className={styles.stack}>
        <Button
          busy={say.isPending}
          disabled={body.trim() === ''}
          onClick={() => say.mutate(undefined)}
        >
          Send as {author === 'customer' ? 'the customer' : 'support'}
        </Button>
      </div>
    </PanelSection>
  )
}

/** Escalates or rejects the claim as support. */
function DecideSection({ dispute }: { dispute: SandboxDispute }) {
  const { id } = dispute
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const why = reason.trim() === '' ? {} : { reason: reason.trim() }
  const escalate = useSandboxAction(
    () => rpc.sandbox.world.escalate({ id, ...why }),
    () => ({ title: 'Escalated to support' }),
  )
  const reject = useSandboxAction(
    () => rpc.sandbox.world.reject({ id, ...why }),
    () => ({ title: 'Claim rejected', text: 'The sale remains valid and no money moved.' }),
  )
  return (
    <>
      {dispute.status === 'resolved' ? null : (
        <PanelSection title="Decide as support">
          <Textarea
            aria-label="Reason"
            placeholder="Reason (optional)"
            autosize
            minRows={1}
            maxRows={5}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={styles.stack}>
            <div className={styles.row}>
              <Button
                icon={<IconArrowUpRight size={16} stroke={1.6} />}
                busy={escalate.isPending}
                disabled={dispute.status !== 'open'}
                onClick={() => escalate.mutate(undefined)}
              >
                Escalate
              </Button>
              <Button
                kind="danger"
                icon={<IconX size={16} stroke={1.6} />}
                onClick={() => setAsked(true)}
              >
                Reject…
              </Button>
            </div>
          </div>
        </PanelSection>
      )}
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        account={sandboxAccount}
        destructive
        title="Reject this claim?"
        confirmLabel="Reject claim"
        onConfirm={async () => {
          await reject.mutateAsync(undefined)
        }}
        effects={[
          {
            icon: <IconX size={16} stroke={1.6} />,
            what: 'The claim is closed permanently.',
            more: 'The customer keeps the product and the seller keeps the money.',
            tone: 'bad',
          },
        ]}
      />
    </>
  )
}
