import { t } from '../../../../contract/localization/localized.ts'
import { IconPlus } from '@tabler/icons-react'
import type { RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import { IconButton } from '../../../ui/controls/buttons/button.tsx'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { describeDates, modeTexts, summarizeRule } from '../price-watch-texts.ts'
import { NEW_RULE } from './rule-drafts.ts'
import styles from './rules.module.css'
import type { Rules } from './use-rules.ts'

/** The rules in their order, with the place of a new one. */
export function RuleList({
  rules,
  state: { drafts, comesFirst, begin },
  ruleId,
  onChoose,
}: {
  rules: readonly RuleView[]
  state: Rules
  ruleId: string | null
  onChoose: (ruleId: string | null) => void
}) {
  const drafted = (place: number) =>
    drafts.has(NEW_RULE) ? (
      <li>
        <button
          type="button"
          className={styles.rule}
          aria-current={ruleId === NEW_RULE || undefined}
          onClick={() => onChoose(NEW_RULE)}
        >
          <i>{place}</i>
          <span>
            <b>{drafts.get(NEW_RULE)?.name}</b>
            <small>Not saved</small>
          </span>
        </button>
      </li>
    ) : null
  return (
    <nav className={styles.ruleList} aria-label="Rules, first match wins">
      <div className={styles.ruleHead}>
        <b>Rules</b>
        <span>first match wins</span>
        <IconButton label="New rule" onClick={begin}>
          <IconPlus size={16} stroke={1.6} />
        </IconButton>
      </div>
      <ol>
        {comesFirst ? drafted(1) : null}
        {rules.map((rule, index) => (
          <RuleItem
            key={rule.ruleId}
            rule={rule}
            place={index + (drafts.has(NEW_RULE) && comesFirst ? 2 : 1)}
            on={rule.ruleId === ruleId}
            draft={drafts.has(rule.ruleId)}
            onClick={() => onChoose(rule.ruleId)}
          />
        ))}
        {comesFirst ? null : drafted(rules.length + 1)}
      </ol>
      <div className={styles.ruleFoot}>
        <KeyCap name="Alt" />
        <KeyCap name="↑" /> move up <KeyCap name="Alt" />
        <KeyCap name="↓" /> move down
      </div>
    </nav>
  )
}

function RuleItem({
  rule,
  place,
  on,
  draft,
  onClick,
}: {
  rule: RuleView
  place: number
  on: boolean
  draft: boolean
  onClick: () => void
}) {
  const dates = rule.mode === 'off' ? null : describeDates(rule.rule, Date.now())
  return (
    <li>
      <button
        type="button"
        className={styles.rule}
        aria-current={on || undefined}
        onClick={onClick}
      >
        <i>{place}</i>
        <span>
          <b title={rule.rule.name}>
            {rule.rule.name}
            {draft ? ' *' : ''}
          </b>
          <small>
            {summarizeRule(rule.rule)}
            {rule.mode === 'off' ? '' : `, ${dates ?? t('counts.offers', { count: rule.covers })}`}
          </small>
        </span>
        <em data-mode={dates === null ? rule.mode : 'off'}>
          {dates === null
            ? modeTexts[rule.mode]
            : rule.rule.startsAt !== null && rule.rule.startsAt > Date.now()
              ? 'Scheduled'
              : 'Expired'}
        </em>
      </button>
    </li>
  )
}
