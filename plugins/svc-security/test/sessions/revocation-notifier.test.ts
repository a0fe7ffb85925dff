/** Who hears that a session or a token is over, and who does not. */
import t from 'tap'
import { RevocationNotifier } from '../../src/sessions/revocation-notifier.ts'

/** Three watches of two references of alice, one of bob, one of no user. */
function watched() {
  const notifier = new RevocationNotifier()
  const heard: string[] = []
  const watch = (name: string, ref: string, user: string | null) => notifier.watch(ref, user, () => heard.push(name))
  const stops = {
    first: watch('first', 'a', 'alice'),
    second: watch('second', 'a', 'alice'),
    third: watch('third', 'b', 'alice'),
    bob: watch('bob', 'c', 'bob'),
    nobody: watch('nobody', 'd', null)
  }
  return { notifier, heard, stops }
}

t.test('each who watches a reference hears of it', async (t) => {
  const { notifier, heard } = watched()
  notifier.notify('a')
  notifier.notify('unknown')
  t.same(heard, ['first', 'second'])
})

t.test('each who watches something of a user hears of it, but for one reference', async (t) => {
  const all = watched()
  all.notifier.notifyUser('alice')
  t.same(all.heard, ['first', 'second', 'third'])
  const others = watched()
  others.notifier.notifyUser('alice', 'a')
  t.same(others.heard, ['third'])
})

t.test('who stopped hears nothing; others of the same reference do', async (t) => {
  const { notifier, heard, stops } = watched()
  stops.first()
  notifier.notify('a')
  t.same(heard, ['second'])
  stops.second()
  const stop = notifier.watch('a', 'alice', () => heard.push('later'))
  stops.second()
  notifier.notify('a')
  t.same(heard, ['second', 'later'], 'stopping twice stops no other')
  stop()
  notifier.notifyUser('alice')
  t.same(heard, ['second', 'later', 'third'])
})

t.test('who stops while it hears disturbs no other', async (t) => {
  const notifier = new RevocationNotifier()
  const heard: string[] = []
  const stop = notifier.watch('a', 'alice', () => {
    heard.push('first')
    stop()
  })
  notifier.watch('a', 'alice', () => heard.push('second'))
  notifier.notify('a')
  t.same(heard, ['first', 'second'])
})
