/** Listings of a provisioning system over HTTP: filtered, sorted and cut into pages. */
import t from 'tap'
import { provisioned, SCIM, user } from '../support/provisioned.ts'

t.test('pages begin at 1, and hold every user once', async (t) => {
  const { key } = await provisioned(t)
  for (let index = 0; index < 5; index += 1) await key.post(`${SCIM}/Users`, user(`u${index}@example.org`))
  const seen: string[] = []
  for (const startIndex of [1, 3, 5]) {
    const page = (await key.get(`${SCIM}/Users?startIndex=${startIndex}&count=2`)).json()
    t.equal(page.totalResults, 6)
    seen.push(...page.Resources.map(({ userName }: { userName: string }) => userName))
  }
  t.equal(new Set(seen).size, 6)
  t.same((await key.get(`${SCIM}/Users?count=0`)).json().Resources, [])
  t.equal((await key.get(`${SCIM}/Users?count=x`)).statusCode, 400)
})

t.test('listings are filtered, sorted and paged by the store', async (t) => {
  const { app, key } = await provisioned(t)
  const people = [
    user('Zoe@example.org', {
      externalId: 'Z',
      displayName: 'Zoe',
      emails: [{ type: 'work', value: 'ZOE@work.example' }]
    }),
    user('bob@example.org', { externalId: 'b', active: false, name: { familyName: 'Lovelace' } }),
    user('carl@example.org', { emails: [{ type: 'home', value: 'zoe@work.example', primary: true }], title: 'CTO' })
  ]
  for (const person of people) {
    app.clock.advance(1)
    await key.post(`${SCIM}/Users`, person)
  }
  const names = async (query: string) => {
    const answer = await key.get(`${SCIM}/Users?${query}`)
    if (answer.statusCode !== 200) return `${answer.statusCode} ${answer.json().scimType}`
    return answer
      .json()
      .Resources.map(({ userName }: { userName: string }) => userName.split('@')[0])
      .join()
  }
  const filters: [string, string][] = [
    ['userName eq "ZOE@Example.org"', 'zoe'],
    ['userName co "@EXAMPLE.o"', 'zoe,bob,carl'],
    ['userName ew "example.org" and not (userName sw "b")', 'zoe,carl'],
    ['externalId eq "Z"', 'zoe'],
    ['externalId eq "z"', ''],
    ['externalId pr', 'zoe,bob'],
    ['externalId eq null', 'ada,carl'],
    ['active eq "False"', 'bob'],
    ['active ne false', 'ada,zoe,carl'],
    ['displayName eq "zoe"', 'zoe'],
    ['emails[type eq "work"].value eq "zoe@work.example"', 'zoe'],
    ['emails[type eq "work" and value eq "zoe@WORK.example"]', 'zoe'],
    ['emails.value eq "zoe@work.example"', 'zoe,carl'],
    ['emails eq "zoe@work.example"', 'zoe,carl'],
    ['emails[primary eq true].value eq "zoe@work.example"', 'carl'],
    ['name.familyName eq "LOVELACE" or title pr', 'bob,carl'],
    ['title ne "cto"', 'ada,zoe,bob'],
    ['userName eq "%"', ''],
    ['userName co "%"', ''],
    ['meta.created ge "2020-01-01T00:00:00Z" and userName gt "bz"', 'zoe,carl'],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', ''],
    ['nothing eq "x"', ''],
    ['name.familyName co "love"', '400 invalidFilter'],
    ['emails[value ne "x"]', '400 invalidFilter'],
    ['meta.created gt "x"', '400 invalidFilter']
  ]
  for (const [filter, found] of filters) t.equal(await names(`filter=${encodeURIComponent(filter)}`), found, filter)
  t.equal(await names('sortBy=userName'), 'ada,bob,carl,zoe')
  t.equal(await names('sortBy=userName&sortOrder=descending&count=2'), 'zoe,carl')
  t.equal(await names('sortBy=userName&startIndex=3&count=1'), 'carl')
  t.equal(await names('sortBy=displayName'), '400 invalidPath')
  const page = (
    await key.get(`${SCIM}/Users?count=1&startIndex=2&filter=${encodeURIComponent('active eq true')}`)
  ).json()
  t.match(page, { totalResults: 3, startIndex: 2, itemsPerPage: 1 })

  const ids = (await key.get(`${SCIM}/Users`)).json().Resources.map(({ id }: { id: string }) => id)
  await key.post(`${SCIM}/Groups`, { displayName: 'Sales', members: [{ value: ids[0] }] })
  app.clock.advance(1)
  await key.post(`${SCIM}/Groups`, { displayName: 'Admins', members: [{ value: ids[0] }, { value: ids[1] }] })
  const groups = async (query: string) => {
    const { Resources } = (await key.get(`${SCIM}/Groups?${query}`)).json()
    return Resources.map(({ displayName }: { displayName: string }) => displayName).join()
  }
  const groupFilters: [string, string][] = [
    ['displayName eq "sales"', 'Sales'],
    [`members eq "${ids[1]}"`, 'Admins'],
    [`members[value eq "${ids[0]}"]`, 'Sales,Admins'],
    [`members.value eq "${ids[2]}"`, '']
  ]
  for (const [filter, found] of groupFilters)
    t.equal(await groups(`filter=${encodeURIComponent(filter)}`), found, filter)
  t.equal(await groups('sortBy=displayName'), 'Admins,Sales')
})
