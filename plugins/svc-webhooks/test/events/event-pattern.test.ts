/** What may be subscribed to. */
import t from 'tap'
import { isEventPattern } from '../../src/events/event-pattern.ts'

for (const text of ['*', 'login', 'login.failure', 'login.*', 'a.b.c.*', 'x-y_z.1']) t.ok(isEventPattern(text), text)

const none = ['', '**', '*.login', 'login*', 'login.', '.login', 'a..b', 'a.*.b', 'a b', 'a.b ', 'a\n', 'é.b', 'a/b']
for (const text of none) t.notOk(isEventPattern(text), JSON.stringify(text))
for (const given of [null, undefined, 5, ['*'], { '*': true }]) t.notOk(isEventPattern(given), JSON.stringify(given))
