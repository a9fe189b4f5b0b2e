/** Messages about imports of keys. */
export const importMessages = {
  'imports.added': '{added, number} of {keys, plural, one {# key} other {# keys}} added',
  'imports.added-in-doubt': `{added, number} of {keys, plural, one {# key} other {# keys}} added, \
{doubtful, number} may or may not be on {doubtful, plural, one {its offer} other {their offers}}\
{unsent, plural, =0 {} other {, # not sent}}`,
  'imports.added-not-sent':
    '{added, number} of {keys, plural, one {# key} other {# keys}} added{unsent, plural, =0 {} other {, # not sent}}',
  'imports.added-sentence': '{added, number} of {keys, plural, one {# key} other {# keys}} added.',
  'imports.canceled': 'Canceled',
  'imports.canceled-effect':
    'Uploaded keys stay on their offers; waiting keys were deleted from this computer',
  'imports.canceled-in-doubt': `Uploaded keys stay on their offers; waiting keys were deleted from this computer. \
{count, plural, one {# key may or may not be on its offer} other {# keys may or may not be on their offers}}`,
  'imports.connection-lost': 'Connection lost',
  'imports.decision': 'Decision on request {request, number}',
  'imports.decision-arrived': 'The keys count as added',
  'imports.decision-leave-out': 'The keys are excluded and saved for export',
  'imports.decision-send-again': 'Keydesk sends the keys again',
  'imports.done': '{added, plural, one {# key} other {# keys}} uploaded',
  'imports.key-rejected': 'A key was rejected by the service',
  'imports.keys-exported': 'Keys exported',
  'imports.keys-uploaded': 'Keys uploaded',
  'imports.line': '{name}, line {line, number}',
  'imports.needs-attention': 'Import needs your attention',
  'imports.not-canceled': 'Not canceled: {reason}',
  'imports.offer-rejected': '{offer} doesn’t accept keys; the rest continues',
  'imports.paused': 'Paused',
  'imports.paused-effect': 'A request in flight is still completed',
  'imports.rate-limited': 'Slowed down by the service’s rate limit',
  'imports.rejected-keys-plain':
    'Rejected or excluded keys of import {number, number}, in plain text',
  'imports.rejected-lines-plain': 'Rejected lines of import {number, number}, in plain text',
  'imports.remaining-lines-plain': 'Saved lines of import {number, number}, in plain text',
  'imports.request-excluded': 'Request {request, number} was excluded',
  'imports.request-keys': '{offer}, keys {first, number} to {last, number}',
  'imports.request-rejected': 'Request {request, number} was rejected; the rest continues',
  'imports.request-sent': 'Request {request, number} sent',
  'imports.requests-saved':
    '{requests, plural, one {# request} other {# requests}} saved before sending',
  'imports.response-lost': 'Response lost after sending',
  'imports.resumes-with-vault': 'The upload resumes when you unlock it.',
  'imports.resumed': 'Resumed',
  'imports.resumed-after': 'After {seconds, number} s',
  'imports.resumed-after-checking':
    'After {seconds, number} s. Keydesk first checks whether the request arrived',
  'imports.resumed-after-safely':
    'After {seconds, number} s. Retrying is safe: no key is added twice',
  'imports.resumed-at': 'Resumed at request {request, number}',
  'imports.started': 'Upload started',
  'imports.stopped-at': 'Stopped at request {request, number}',
  'imports.undo-finished': 'Undone',
  'imports.undo-plan':
    'Keydesk pauses {offer}, withdraws its keys and uploads the keys of other imports again',
  'imports.undo-result': `{withdrawn, plural, one {# key} other {# keys}} of {offer} {withdrawn, \
plural, one {is} other {are}} in the vault{returned, plural, =0 {} one {, # other was uploaded again} \
other {, # others were uploaded again}}`,
  'imports.undo-result-in-doubt': `{withdrawn, plural, one {# key} other {# keys}} of {offer} \
{withdrawn, plural, one {is} other {are}} in the vault{returned, plural, =0 {} \
one {, # other was uploaded again} other {, # others were uploaded again}}. {kept, plural, =0 {} \
one {# other wasn’t uploaded again and is in the vault too. } \
other {# others weren’t uploaded again and are in the vault too. }}{doubtful, plural, \
one {# other is in the vault and may also be on the offer} \
other {# others are in the vault and may also be on the offer}}`,
  'imports.undo-result-incomplete': `{withdrawn, plural, one {# key} other {# keys}} of {offer} \
{withdrawn, plural, one {is} other {are}} in the vault{returned, plural, =0 {} \
one {, # other was uploaded again} other {, # others were uploaded again}}. {kept, plural, \
one {# other wasn’t uploaded again and is in the vault too} \
other {# others weren’t uploaded again and are in the vault too}}`,
  'imports.undo-started': 'Undo started',
  'imports.undone': 'Import undone',
  'imports.upload-canceled': 'Key upload canceled',
  'imports.upload-finished': 'Upload finished',
  'imports.uploaded-before':
    'Keys of request {request, number} were already uploaded by this import',
  'imports.uploaded-before-detail': `The response to an earlier attempt was lost more than 24 hours ago. \
{count, plural, one {# key} other {# keys}} reported as duplicates arrived with it and count as added.`,
  'imports.uploaded-so-far':
    '{done, number} of {keys, plural, one {# key was} other {# keys were}} uploaded before.',
  'imports.waiting': 'Waiting',
  'imports.waiting-for-vault': 'Waiting for the vault',
  'imports.keys-in-doubt': `{count, plural,
      one {# key may or may not be on its offer}
      other {# keys may or may not be on their offers}}`,
} as const
