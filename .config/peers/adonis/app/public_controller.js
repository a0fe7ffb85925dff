/** Routes for everybody, one of them with a body that VineJS checks. */
import { randomUUID } from 'node:crypto'
import vine from '@vinejs/vine'
import jwt from 'jsonwebtoken'
import { alice, LIFETIME_S, TOKEN_SECRET } from '../../../../test/dist/bench/peers/accounts.js'

const article = vine.create({ title: vine.string().maxLength(200), body: vine.string() })

export default class PublicController {
  hello() {
    return { hello: 'world' }
  }

  create({ request }) {
    return request.validateUsing(article)
  }

  async credentials({ auth }) {
    const { value } = await auth.use('api').createToken(alice, ['*'], { expiresIn: LIFETIME_S })
    const claims = { sub: alice.identifier, jti: randomUUID() }
    return { apikey: value.release(), jwt: jwt.sign(claims, TOKEN_SECRET, { expiresIn: LIFETIME_S }) }
  }
}
