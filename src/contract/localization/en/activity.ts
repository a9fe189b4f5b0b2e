/** Messages of the activity that belong to no other feature. */
export const activityMessages = {
  /** Text of entries from before 0.2.0, and from outside: shown as it is. */
  text: '{text}',
  'activity.reference': 'Reference {reference}',
  'activity.request': '{method} {path}',
  'activity.try': 'try {tries, number}',
} as const
