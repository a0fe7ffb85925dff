/** Names that resolve as a test says, one answer after the other. */
import t from 'tap'
import { FakeDns } from '../src/index.ts'

t.test('what it was told', async (t) => {
  const dns = new FakeDns().set('a.example', ['192.0.2.1', '2001:db8::1'])
  t.strictSame(await dns.lookup('a.example'), [
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 }
  ])
  t.strictSame(dns.asked, ['a.example'])
})

t.test('an answer that changes between two questions; the last one stays', async (t) => {
  const dns = new FakeDns().set('a.example', ['192.0.2.1'], ['127.0.0.1'])
  const answers = []
  for (let time = 0; time < 3; time += 1) answers.push((await dns.lookup('a.example'))[0]?.address)
  t.strictSame(answers, ['192.0.2.1', '127.0.0.1', '127.0.0.1'])
})

t.test('names of nobody, and failures', async (t) => {
  const dns = new FakeDns().set('b.example', Object.assign(new Error('again'), { code: 'EAI_AGAIN' }), [])
  await t.rejects(dns.lookup('a.example'), { code: 'ENOTFOUND' })
  await t.rejects(dns.lookup('b.example'), { code: 'EAI_AGAIN' })
  t.strictSame(await dns.lookup('b.example'), [])
})
