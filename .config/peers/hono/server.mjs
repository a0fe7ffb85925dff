/** The application on Hono and its Node server: middleware of Hono for bearers and tokens, Zod for the body. */
import { randomUUID } from 'node:crypto'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { createMiddleware } from 'hono/factory'
import { jwt, sign } from 'hono/jwt'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { answerReadings } from '../../../test/dist/bench/measured/measured-server.js'
import {
  alice,
  createApiKey,
  LIFETIME_S,
  TOKEN_SECRET,
  userOfApiKey,
  userOfClaims
} from '../../../test/dist/bench/peers/accounts.js'
import { DENIED, DENIED_HEADERS, recordDenial } from '../../../test/dist/bench/peers/denials.js'

const article = z.object({ title: z.string().max(200), body: z.string() })

const knownKey = bearerAuth({
  verifyToken: (key, context) => {
    const user = userOfApiKey(key)
    if (user !== null) context.set('user', user)
    return user !== null
  }
})

const knownClaims = createMiddleware(async (context, next) => {
  const user = userOfClaims(context.get('jwtPayload'))
  if (user === null) return context.json({ statusCode: 401, error: 'Unauthorized' }, 401)
  context.set('user', user)
  await next()
})

const hasRole = (role) =>
  createMiddleware(async (context, next) => {
    const user = context.get('user')
    if (user.roles.includes(role)) return next()
    recordDenial(user, role, context.req.method, context.req.path, getConnInfo(context).remote.address ?? '')
    return context.json(DENIED, 403, DENIED_HEADERS)
  })

const who = (context) => context.json({ hello: 'world', who: context.get('user').identifier })

const app = new Hono()
app.get('/public/hello', (context) => context.json({ hello: 'world' }))
app.post('/public/articles', zValidator('json', article), (context) => context.json(context.req.valid('json')))
app.get(
  '/public/echo',
  upgradeWebSocket(() => ({
    onMessage: (event, socket) => socket.send(JSON.stringify({ echo: event.data }))
  }))
)
app.get('/public/credentials', async (context) =>
  context.json({
    apikey: createApiKey(alice.identifier),
    jwt: await sign(
      { sub: alice.identifier, jti: randomUUID(), exp: Math.floor(Date.now() / 1000) + LIFETIME_S },
      TOKEN_SECRET,
      'HS256'
    )
  })
)
app.use('/keys/*', knownKey)
app.get('/keys/hello', hasRole('ROLE_MEMBER'), who)
app.get('/keys/denied', hasRole('ROLE_OWNER'), who)
app.use('/tokens/*', jwt({ secret: TOKEN_SECRET, alg: 'HS256' }), knownClaims)
app.get('/tokens/hello', hasRole('ROLE_MEMBER'), who)

const websocket = { server: new WebSocketServer({ noServer: true }) }
serve({ fetch: app.fetch, websocket, hostname: '127.0.0.1', port: 0 }, ({ port }) => answerReadings(port))
