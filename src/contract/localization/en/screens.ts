/** Sentences and labels of screens that depend on a count, by feature. */
export const screenMessages = {
  'screens.alarm-for-sale':
    '{count, plural, one {# key is still for sale.} other {# keys are still for sale.}}',
  'screens.batches-unknown-keys': `{count, plural,
      one {# sale with an unknown key belongs to no batch.}
      other {# sales with an unknown key belong to no batch.}}`,
  'screens.disputes-alarm-in-stock': `{count, plural,
      one {# of {stock, plural, one {# key} other {# keys}} in stock is from {batch}, which has a batch alarm.}
      other {# of {stock, plural, one {# key} other {# keys}} in stock are from {batch}, which has a batch alarm.}}`,
  'screens.disputes-answers-queued':
    '{count, plural, one {# answer queued} other {# answers queued}}',
  'screens.disputes-answers-sent': '{count, plural, one {# answer sent} other {# answers sent}}',
  'screens.disputes-bulk-open':
    '{count, plural, one {# dispute stays} other {# disputes stay}} open.',
  'screens.disputes-bulk-resolved':
    '{count, plural, one {# dispute is resolved} other {# disputes are resolved}} permanently.',
  'screens.disputes-bulk-title': 'Answer {count, plural, one {# dispute} other {# disputes}}',
  'screens.disputes-customers': '{count, plural, one {# customer} other {# customers}}',
  'screens.disputes-left-out':
    '{count, plural, one {# dispute is left out.} other {# disputes are left out.}}',
  'screens.disputes-answers-sent-before': `{count, plural,
      one {# answer was sent before.}
      other {# answers were sent before.}} Nothing else has been sent yet.`,
  'screens.disputes-retries-undone':
    '{count, plural, one {# retry undone} other {# retries undone}}',
  'screens.disputes-retries-undone-text': `{answered, plural,
      one {# answer was sent before and stays sent.}
      other {# answers were sent before and stay sent.}}\
{drafts, plural, =0 {} one { # text is a draft again.} other { # texts are drafts again.}} \
No keys or money moved.`,
  'screens.disputes-mark-read': `{count, plural,
      one {Mark it as read before you send your answer.}
      other {Mark them as read before you send your answer.}}`,
  'screens.disputes-marked-done':
    '{count, plural, one {# dispute marked as done} other {# disputes marked as done}}',
  'screens.disputes-new-messages': `{count, plural,
      one {A new message arrived while you were writing.}
      other {# new messages arrived while you were writing.}}`,
  'screens.disputes-not-sent': '{count, plural, one {# reply not sent} other {# replies not sent}}',
  'screens.disputes-others': '{count, plural, one {# other} other {# others}}',
  'screens.disputes-replies': '{count, plural, one {# reply} other {# replies}}',
  'screens.disputes-retry':
    '{count, plural, one {Retry # failed reply} other {Retry # failed replies}}',
  'screens.disputes-sending':
    'Sending {count, plural, one {# reply} other {# replies}} in {seconds} s.',
  'screens.disputes-waiting':
    '{count, plural, one {# reply is queued.} other {# replies are queued.}}',
  'screens.disputes-show-more': 'Show {count, plural, one {# more} other {# more}}',
  'screens.disputes-test-created':
    '{count, plural, one {# test dispute created} other {# test disputes created}}',
  'screens.imports-missing-left': `{count, plural,
      one {# more value has no offer: create these first, then open this list again.}
      other {# more values have no offer: create these first, then open this list again.}}`,
  'screens.imports-create-offers':
    '{count, plural, one {Create the offer…} other {Create offers…}}',
  'screens.imports-cost-unreadable':
    '{count, plural, one {# cost is not an amount in EUR} other {# costs are not amounts in EUR}}',
  'screens.imports-include': '{count, plural, one {Include # line} other {Include # lines}}',
  'screens.imports-set-aside':
    '{count, plural, one {# line is set aside} other {# lines are set aside}}',
  'screens.imports-keys-move':
    '{count, plural, one {1 key moves into the vault} other {All # keys move into the vault}}',
  'screens.imports-keys-stay':
    '{count, plural, one {# key stays uploaded} other {# keys stay uploaded}}',
  'screens.imports-not-sent': `{count, plural,
      one {# key wasn’t sent and was deleted from this computer.}
      other {# keys weren’t sent and were deleted from this computer.}}`,
  'screens.imports-no-match': `{count, plural,
      one {# value matches none of your offers.}
      other {# values match none of your offers.}}`,
  'screens.imports-excluded': `{count, plural,
      one {You excluded # key whose response was lost. It may be on its offer.}
      other {You excluded # keys whose response was lost. They may be on their offers.}}`,
  'screens.imports-lines': '{count, plural, one {Line {lines}} other {Lines {lines}}}',
  'screens.imports-retry':
    '{count, plural, one {Retry # failed offer} other {Retry # failed offers}}',
  'screens.imports-sold-stay':
    '{count, plural, one {# sold key stays sold.} other {# sold keys stay sold.}}',
  'screens.imports-rejected-keys-of': `{count, plural,
      one {# rejected or excluded key} other {# rejected or excluded keys}} of import {number, number}`,
  'screens.imports-rejected-lines-of':
    '{count, plural, one {# rejected line} other {# rejected lines}} of import {number, number}',
  'screens.imports-remaining-of':
    '{count, plural, one {# saved line} other {# saved lines}} of import {number, number}',
  'screens.imports-remaining':
    '{count, plural, one {# line is saved for later} other {# lines are saved for later}}',
  'screens.imports-square': `{count, plural,
      one {One square is one request of up to 1,000 keys, saved before it is sent.}
      other {One square is up to # requests of up to 1,000 keys, saved before they are sent.}}`,
  'screens.imports-uploaded-again':
    '{count, plural, one {# other key is uploaded again} other {# other keys are uploaded again}}',
  'screens.imports-undone-keys': `{withdrawn, plural, one {# key} other {# keys}} in the vault\
{returned, plural, =0 {} one {, # key of other imports uploaded again} \
other {, # keys of other imports uploaded again}}.`,
  'screens.imports-undone-in-doubt': `{count, plural,
      one {# other key is in the vault and may also be on its offer.}
      other {# other keys are in the vault and may also be on their offers.}}`,
  'screens.imports-undone-kept': `{count, plural,
      one {# other key wasn’t uploaded again and is in the vault too.}
      other {# other keys weren’t uploaded again and are in the vault too.}}`,
  'screens.offers-keys': '{count, plural, one {key} other {keys}}',
  'screens.offers-keys-leave':
    '{count, plural, one {# key leaves the service} other {# keys leave the service}}',
  'screens.offers-keys-stay': '{count, plural, one {# stays} other {# stay}}',
  'screens.offers-delayed': 'Waiting for earlier change',
  'screens.offers-delayed-why': `Keydesk sends it when the earlier change, whose response was \
lost, can no longer arrive: after up to 20 s.`,
  'screens.offers-activated': '{count, plural, one {# offer activated} other {# offers activated}}',
  'screens.offers-over-guard': `{count, plural,
      one {# price changes by more than {percent} %, or moves beyond its floor or ceiling.}
      other {# prices change by more than {percent} %, or move beyond their floor or ceiling.}}`,
  'screens.offers-far-from-shop': `{count, plural,
      one {# price differs from the shop’s price by more than {percent} %.}
      other {# prices differ from the shop’s price by more than {percent} %.}}`,
  'screens.offers-over-guard-confirm':
    '{count, plural, one {Send this price anyway} other {Send these # prices anyway}}',
  'screens.offers-undo-restored': `{count, plural,
      one {# offer gets its earlier value back.} other {# offers get their earlier values back.}}`,
  'screens.offers-undo-again':
    '{count, plural, one {# offer changes again.} other {# offers change again.}}',
  'screens.offers-undo-left-out': `{count, plural,
      one {# offer is left out.} other {# offers are left out.}}`,
  'screens.offers-undo-left-out-why': `{count, plural,
      one {It was changed or removed since.} other {They were changed or removed since.}}`,
  'screens.offers-undo-left-out-more':
    '{count, plural, one {and # more offer} other {and # more offers}}',
  'screens.records-more': '{count, plural, one {and # more} other {and # more}}',
  'screens.moves-more': '{count, plural, one {and # more change} other {and # more changes}}',
  'screens.offers-plan-moved': `{count, plural,
      one {# line of the plan changed while it was open.}
      other {# lines of the plan changed while it was open.}}`,
  'screens.offers-plan-moved-more': `{count, plural,
      one {# more line differs.} other {# more lines differ.}}`,
  'screens.offers-paused': '{count, plural, one {# offer paused} other {# offers paused}}',
  'screens.offers-prices-changed':
    '{count, plural, one {# price changed} other {# prices changed}}',
  'screens.offers-created': '{count, plural, one {# offer created} other {# offers created}}',
  'screens.offers-new-queued':
    '{count, plural, one {# new offer queued} other {# new offers queued}}',
  'screens.offers-statuses-queued':
    '{count, plural, one {# status change queued} other {# status changes queued}}',
  'screens.offers-prices-queued': '{count, plural, one {# price queued} other {# prices queued}}',
  'screens.offers-without-floor':
    '{count, plural, one {# offer has no floor.} other {# offers have no floor.}}',
  'screens.costs-save': '{count, plural, one {Save # cost} other {Save # costs}}',
  'screens.costs-saved': '{count, plural, one {# cost saved} other {# costs saved}}',
  'screens.offers-table-lines': '{count, plural, one {# line is used.} other {# lines are used.}}',
  'screens.offers-unreadable': `{count, plural,
      one {# line can’t be read. The other lines are used.}
      other {# lines can’t be read. The other lines are used.}}`,
  'screens.orders-already-handed': `{count, plural,
      one {This key is already handed over}
      other {# of these keys are already handed over}}`,
  'screens.orders-draft-removed': `{count, plural,
      one {# line was removed. Nothing was ordered.}
      other {# lines were removed. Nothing was ordered.}}`,
  'screens.orders-export-handed': `{count, plural,
      one {1 of them is already handed over.}
      other {# of them are already handed over.}}`,
  'screens.orders-export-missing': `{count, plural,
      one {1 delivered key isn’t on this computer and is left out.}
      other {# delivered keys aren’t on this computer and are left out.}}`,
  'screens.orders-handed-over':
    '{count, plural, one {Key marked as handed over} other {# keys marked as handed over}}',
  'screens.orders-keys-of': `{keys, plural, one {# key} other {# keys}} of {orders, plural,
      one {# order} other {# orders}}`,
  'screens.orders-bulk-result':
    '{placed, number} placed{count, plural, =0 {} other {, # not placed}}',
  'screens.orders-download':
    '{count, plural, one {Download the key of {order}?} other {Download the # keys of {order}?}}',
  'screens.orders-claim-differs': '{left} left, later for other keys',
  'screens.orders-claim-latest': 'at most {left} left',
  'screens.orders-claim-over': '{left} left, over for {count, plural, one {# key} other {# keys}}',
  'screens.orders-from-claims':
    '{count, plural, one {# new from a claim} other {# new from claims}}',
  'screens.orders-keys-here': `{count, plural,
      one {The order’s other key is already on this computer.}
      other {The order’s other # keys are already on this computer.}}`,
  'screens.orders-keys-ready': '{count, plural, one {# key is ready.} other {# keys are ready.}}',
  'screens.orders-place': '{count, plural, one {Place 1 order} other {Place # orders}}',
  'screens.orders-place-for': `{count, plural, one {Place 1 order} other {Place # orders}} for at most EUR {amount}`,
  'screens.orders-placeable':
    '{placeable, number} of {count, plural, one {# order} other {# orders}} can be placed',
  'screens.orders-marked-again': `{count, plural,
    one {# of them is already handed over. Its date and note are replaced.}
    other {# of them are already handed over. Their dates and notes are replaced.}}`,
  'screens.orders-unsettled':
    '{count, plural, one {# order has no result yet.} other {# orders have no result yet.}}',
  'screens.orders-compare':
    'To compare the text with {count, plural, one {# stored key} other {# stored keys}}, unlock the vault.',
  'screens.orders-keys-of-product': '{product}{keys, plural, one {} other { (# keys)}}',
  'screens.orders-keys-of-others':
    '{count, plural, one {# other product} other {# other products}}',
  'screens.orders-keys-of-order': '{count, plural, one {# key} other {# keys}} of {order}',
  'screens.orders-keys-used': '{count, plural, one {# key} other {# keys}}, by {who}',
  'screens.orders-mark': '{count, plural, one {Mark # key} other {Mark # keys}}',
  'screens.orders-placed':
    '{count, plural, one {# order} other {# orders}} placed, {amount} charged.',
  'screens.orders-retry':
    '{count, plural, one {Retry # failed line…} other {Retry # failed lines…}}',
  'screens.orders-units-missing': '{count, plural, one {# unit} other {# units}} not delivered',
  'screens.orders-proof': `{count, plural,
      one {It is the service’s proof of delivery for the key.}
      other {It is the service’s proof of delivery for all # keys.}}`,
  'screens.orders-saved': `{count, plural,
      one {It is saved encrypted on this computer. You can read it offline.}
      other {They are saved encrypted on this computer. You can read them offline.}}`,
  'screens.orders-proof-for':
    '{count, plural, one {for the key, with the time.} other {for all # keys, with the time.}}',
  'screens.outbox-compared': `{count, plural,
      one {Your change was compared with the service at {clock}.}
      other {All # were compared with the service at {clock}.}}`,
  'screens.outbox-discard': '{count, plural, one {Discard # change} other {Discard # changes}}',
  'screens.outbox-discard-all': `{count, plural,
      one {Discard all # queued change?}
      other {Discard all # queued changes?}}`,
  'screens.outbox-not-restored': '{count, plural, one {Not restored} other {# not restored}}',
  'screens.outbox-queued': '{count, plural, one {# queued change} other {# queued changes}}',
  'screens.outbox-results':
    '{count, plural, one {Results of # change} other {Results of # changes}}',
  'screens.outbox-stay-sent': `{count, plural,
      one {# change was sent and isn’t confirmed yet}
      other {# changes were sent and aren’t confirmed yet}}`,
  'screens.outbox-ready': `{count, plural,
      one {#, unchanged on the service since you edited it}
      other {#, unchanged on the service since you edited them}}`,
  'screens.prices-all-estimated':
    'These customer prices are calculated with the present commission.',
  'screens.prices-estimated':
    'Customer prices before {until} weren’t recorded. They’re calculated with the present commission.',
  'screens.price-watch-auto-apply':
    'Auto-apply on {auto, number} of {count, plural, one {# rule} other {# rules}}',
  'screens.price-watch-change-now': '{count, plural, =0 {none now} other {# now}}',
  'screens.price-watch-changed':
    '{count, plural, one {Changed once by a rule.} other {Changed # times by rules.}}',
  'screens.price-watch-changed-elsewhere': `{count, plural,
      one {A price set by a rule was changed elsewhere.}
      other {# prices set by rules were changed elsewhere.}}`,
  'screens.price-watch-decided':
    '{count, plural, one {Decided once.} other {Decided # times in a row, since {since}.}}',
  'screens.price-watch-elsewhere': `{count, plural,
      one {Another console or the seller panel set it. They’re held until you review them.}
      other {Another console or the seller panel set them. They’re held until you review them.}}`,
  'screens.price-watch-results': '{count, plural, one {# price} other {# prices}}: results',
  'screens.price-watch-go-down': '{count, plural, one {# goes down} other {# go down}}',
  'screens.price-watch-go-up': '{count, plural, one {# goes up} other {# go up}}',
  'screens.price-watch-proposals-changed':
    '{count, plural, one {# proposal has changed} other {# proposals have changed}}',
  'screens.price-watch-rule-above':
    '{count, plural, one {# offer matches a rule above} other {# offers match a rule above}}',
  'screens.price-watch-scope': '{count, plural, one {One offer} other {# offers}}',
  'screens.sales-held': `{count, plural,
      one {# sale with an unresolved dispute.}
      other {# sales with an unresolved dispute.}}`,
  'screens.sales-held-until': `{count, plural,
      one {The service releases it only after the dispute is resolved.}
      other {The service releases them only after the dispute is resolved.}}`,
  'screens.sandbox-payout': '{count, plural, one {Payout of # sale} other {Payout of # sales}}',
  'screens.secrets-delivered-key':
    '{count, plural, one {# delivered key} other {# delivered keys}}',
  'screens.secrets-withdrawn-key':
    '{count, plural, one {# withdrawn key} other {# withdrawn keys}}',
  'screens.secrets-import-facts': '{count, plural, one {# import result} other {# import results}}',
  'screens.secrets-outbox-text': '{count, plural, one {# queued reply} other {# queued replies}}',
  'screens.secrets-draft': '{count, plural, one {# draft} other {# drafts}}',
  'screens.secrets-dispute-text':
    '{count, plural, one {# dispute message} other {# dispute messages}}',
  'screens.secrets-key-hint':
    '{count, plural, one {# masked keys of an upload} other {# masked keys of uploads}}',
  'screens.sandbox-fault-hits': '{count, plural, =0 {no hits yet} one {# hit} other {# hits}}',
  'screens.sandbox-why-checks': '{passed} passed, {failed} failed, {missed} not reached',
  'screens.sandbox-why-tried': `{count, plural, one {# request} other {# requests}} tried in \
{ms, number} ms.`,
  'screens.sandbox-branches': '{count, plural, =0 {none} other {# running}}',
  'screens.sandbox-world-repeats':
    '{count, plural, =0 {No request is repeated.} one {# request is repeated.} other {# requests are repeated.}}',
  'screens.sandbox-world-demo':
    'A demo world with {count, plural, one {# product} other {# products}}, started at {at}.',
  'screens.sandbox-world-stop': 'Requests to repeat, of {count, number}',
  'screens.sandbox-world-same':
    '{count, plural, =0 {No request was repeated.} one {The answer is the same.} other {All # answers are the same.}}',
  'screens.sandbox-world-differ': `{different, number} of {count, plural, one {# answer} other \
{# answers}} {different, plural, one {differs} other {differ}}.`,
  'screens.sandbox-differences':
    '{count, plural, =0 {Nothing differs.} one {# difference} other {# differences}}',
  'screens.sandbox-certified':
    'Certified: {count, plural, one {# schedule} other {# schedules}} passed',
  'screens.sandbox-not-certified':
    'Not certified: {failed, number} of {count, plural, one {# schedule} other {# schedules}} failed',
  'screens.sandbox-certificate-progress': `{done, number} of {count, plural, one {# schedule} \
other {# schedules}}, {failed, plural, =0 {none failed} other {# failed}}`,
  'screens.sandbox-certificate-shrunk': `Schedule {schedule, number}, shrunk from {before, plural, \
one {# step} other {# steps}} to {count}.`,
  'screens.sandbox-market-counts': `Since it started: {prices, plural, one {# price change} other \
{# price changes}}, {orders, plural, one {# order} other {# orders}}, {claims, plural, one {# claim} \
other {# claims}}.`,
  'screens.sandbox-own-hidden': '{count, plural, =0 {None hidden} one {# hidden} other {# hidden}}',
  'screens.webhooks-headers-differ':
    '{differing, plural, =0 {No value differs} one {# of {count} differs} other {# of {count} differ}}',
  'screens.webhooks-contradicting': `{count, plural,
      one {# field contradicts it: trust the order.}
      other {# fields contradict it: trust the order.}}`,
  'screens.selection-cleared': '{count, plural, one {# row deselected} other {# rows deselected}}',
  'screens.spending-others': '{count, plural, one {# other product} other {# other products}}',
  'screens.spending-shown':
    '{shown, number} of {count, plural, one {# product} other {# products}}',
  'screens.updates-all-changes': 'All {count, plural, one {# change} other {# changes}}',
  'screens.updates-bulk-changes': '{count, plural, one {# bulk change} other {# bulk changes}}',
  'screens.updates-orders': '{count, plural, one {# order} other {# orders}}',
  'screens.updates-uploads': '{count, plural, one {# upload} other {# uploads}}',
} as const
