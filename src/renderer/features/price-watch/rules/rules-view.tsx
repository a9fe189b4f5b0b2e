import { IconPlus } from '@tabler/icons-react'
import { problemOf } from '../../../lib/core/problem.ts'
import { Button } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { NEW_RULE } from './rule-drafts.ts'
import { RuleEditor } from './rule-editor.tsx'
import { RuleList } from './rule-list.tsx'
import styles from './rules.module.css'
import { useRules } from './use-rules.ts'

/**
 * The list of rules, where the first match wins, and the editor of one rule with its preview and
 * conflicts.
 */
export function RulesView({
  ruleId,
  onChoose,
}: {
  ruleId: string | null
  onChoose: (ruleId: string | null) => void
}) {
  const state = useRules(ruleId, onChoose)
  const { query, rules, stored, shown } = state
  if (rules === undefined)
    return query.isError ? (
      <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
    ) : null
  if (rules.length === 0 && !state.isChanged) return <NoRules onBegin={state.begin} />
  return (
    <div className={styles.rules}>
      <RuleList rules={rules} state={state} ruleId={ruleId} onChoose={onChoose} />
      {shown === undefined || ruleId === null ? null : (
        <RuleEditor
          key={ruleId}
          ruleId={ruleId === NEW_RULE ? null : ruleId}
          rule={shown}
          stored={stored}
          changed={state.isChanged}
          saving={state.isSaving}
          onChange={(rule) => state.change(ruleId, rule)}
          onDiscard={() => state.discard(ruleId)}
          onSave={() => state.save(ruleId, shown)}
          onMode={state.setMode}
          onRemove={() => state.remove(ruleId)}
          first={state.comesFirst}
          onAbove={state.moveUp}
        />
      )}
    </div>
  )
}

function NoRules({ onBegin }: { onBegin: () => void }) {
  return (
    <EmptyState
      title="No rules yet"
      text="A rule defines how far a price can follow the best price, and where it stops. It proposes; you decide."
      actions={
        <Button
          kind="primary"
          autoFocus
          icon={<IconPlus size={16} stroke={1.6} />}
          keys={['N']}
          onClick={onBegin}
        >
          New rule
        </Button>
      }
      steps={[
        { title: 'Choose an action', text: 'Match or undercut, and raise when leading.' },
        { title: 'Set its limits', text: 'Based on your cost or an amount.' },
        { title: 'Preview the result', text: 'Before anything is saved or sent.' },
      ]}
    />
  )
}
