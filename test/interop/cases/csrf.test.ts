/** Area `csrf`: what a foreign page cannot make a browser do. */
import { API, accountApp } from '../../support/account-app.ts'
import { securityCase } from './security-case.ts'

securityCase('CSR-03', async (t) => {
  const { browser } = await accountApp(t)
  const person = browser()
  await person.login()
  const proof = await person.csrf()
  for (const method of ['POST', 'PATCH', 'DELETE']) {
    const without = await person.call(method, '/in/who')
    t.equal(without.status, 403, method)
    t.match(without.body, /x-csrf-token/)
    t.equal((await person.call(method, '/in/who', { ...proof })).status, 200, method)
    t.equal((await person.call(method, '/in/who', { ...proof, origin: 'https://evil' })).status, 403, method)
  }
})

securityCase('CSR-05', async (t) => {
  const { browser } = await accountApp(t)
  const [person, attacker] = [browser(), browser()]
  await person.login()
  await attacker.login()
  const planted = (await attacker.csrf())['x-csrf-token']
  person.cookies.set('x-csrf-token', planted)
  t.equal((await person.call('POST', '/in/who', { 'x-csrf-token': planted })).status, 403)
})

securityCase('CSR-08', async (t) => {
  const { browser } = await accountApp(t)
  const person = browser()
  await person.login()
  const headers = { ...(await person.csrf()), 'content-type': 'text/plain' }
  t.equal((await person.call('POST', `${API}/auth/login`, headers, '{"username":"a","password":"b"}')).status, 415)
  t.equal((await person.call('POST', `${API}/auth/logout`, headers, '{}')).status, 415)
})

securityCase('CSR-09', async (t) => {
  const { browser } = await accountApp(t)
  const person = browser()
  await person.login()
  const before = await person.csrf()
  await person.login()
  t.equal((await person.call('POST', '/in/who', { ...before })).status, 403)
  t.equal((await person.call('POST', '/in/who', { ...(await person.csrf()) })).status, 200)
})
