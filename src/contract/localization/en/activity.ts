/** Messages of the activity that belong to no other feature. */
export const activityMessages = {
  /** Text of entries from before 0.2.0, and from outside: shown unchanged. */
  text: '{text}',
  'activity.account-removed': 'Account removed',
  'activity.account-removed-with': `Deleted with it: {keys, plural, one {# saved key} other {# saved keys}}, \
{claims, plural, one {# unsent claim} other {# unsent claims}}, \
{orders, plural, one {# order in progress} other {# orders in progress}}, \
{changes, plural, one {# queued change} other {# queued changes}}. Its activity is kept.`,
  'activity.reference': 'Reference {reference}',
  'activity.request': '{method} {path}',
  'activity.try': 'try {tries, number}',
} as const
