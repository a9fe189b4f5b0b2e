/** Messages about disputes. */
export const disputeMessages = {
  'disputes.answered': 'A customer answered: {name}',
  'disputes.answered-many': '{disputes, plural, one {# customer} other {# customers}} answered',
  'disputes.bulk-failed': `{failed, plural, one {# of {total} replies wasn’t completed}
      other {# of {total} replies weren’t completed}}`,
  'disputes.bulk-failed-text': 'View the results in Disputes, under Bulk replies.',
  'disputes.dispute': '{disputeId}',
  'disputes.dispute-with-secrets': '{disputeId}, with secrets',
  'disputes.due': 'Escalates soon: {name}',
  'disputes.due-many':
    '{disputes, plural, one {# dispute escalates} other {# disputes escalate}} soon',
  'disputes.evidence-exported': 'Evidence exported',
  'disputes.first-in-inbox': 'They are first in the inbox.',
  'disputes.hours-left': 'Less than {hours, plural, one {# hour} other {# hours}} left to answer.',
  'disputes.needs-answer': 'It needs your answer.',
  'disputes.new': 'New dispute: {name}',
  'disputes.new-many': '{disputes, plural, one {# new dispute} other {# new disputes}}',
  'disputes.new-problem': 'A customer reports a problem with a key.',
  'disputes.refunded': 'Refunded',
  'disputes.reply-failed': 'Not sent: {name}',
  'disputes.reply-failed-after-answer': 'Answer sent, but nothing else: {name}',
  'disputes.reply-failed-text': 'Open the dispute to see why. Your text is saved.',
  'disputes.replaced-from-stock': 'Replaced from stock',
  'disputes.replaced-with-typed-key': 'Replaced with a typed key',
  'disputes.messages-since-viewed': `{count, plural,
      one {a new message arrived since you viewed the dispute.}
      other {# new messages arrived since you viewed the dispute.}}`,
} as const
