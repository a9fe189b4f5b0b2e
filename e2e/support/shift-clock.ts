/**
 * Loaded into a console before everything else (`--import`): its clock is wrong by
 * `KEYDESK_TEST_SHIFT_MS` milliseconds.
 */
const shiftMs = Number(process.env['KEYDESK_TEST_SHIFT_MS'])
const systemNow = Date.now.bind(Date)
Date.now = () => systemNow() + shiftMs
