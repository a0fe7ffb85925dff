/** Registering, logging in, one's own account, and profiles of others. */
import type { FastifyInstance } from 'fastify'
import {
  Body,
  Ctx,
  CurrentUser,
  controller,
  Delete,
  Get,
  Headers,
  type HttpContext,
  IsGranted,
  Param,
  Post,
  Put
} from 'svc-decorators'
import type { User } from 'svc-kernel'
import { SecondFactorDue } from 'svc-security/errors'
import { Account, Follow } from './entities.ts'
import { answers, bodies } from './schemas.ts'
import { type AccountRow, Views } from './views.ts'

interface Registration {
  readonly email: string
  readonly username: string
  readonly password: string
}

type Change = Partial<Registration & Pick<AccountRow, 'bio' | 'image'>>

@controller('/api')
export class Accounts {
  readonly #fastify: FastifyInstance
  readonly #views: Views

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
    this.#views = new Views(fastify.orm)
  }

  @Post('/users', { schema: { ...bodies.register, ...answers.newUser } })
  async register(@Body() { user }: { user: Registration }, @Ctx() { reply }: HttpContext) {
    const { password, ...given } = user
    const passwordHash = await this.#fastify.userAccounts.hashPassword(password)
    const account = await this.#accounts.create({ ...given, passwordHash })
    reply.code(201)
    return this.#withToken(account)
  }

  @Post('/users/login', { schema: { ...bodies.login, ...answers.user } })
  async login(@Body() { user: given }: { user: Omit<Registration, 'username'> }, @Ctx() { request }: HttpContext) {
    const { user } = await this.#fastify.userAccounts.login(request, given.email, given.password)
    if (user === null) throw new SecondFactorDue()
    return this.#withToken(await this.#views.member(user))
  }

  @Get('/user', { schema: answers.user })
  @IsGranted('ROLE_USER')
  async read(@CurrentUser() user: User, @Headers('authorization') authorization: string) {
    return shown(await this.#views.member(user), authorization.split(' ')[1] ?? '')
  }

  /** A token lives a quarter of an hour and names the address: who changes it gets a new one. */
  @Put('/user', { schema: { ...bodies.changeUser, ...answers.user } })
  @IsGranted('ROLE_USER')
  async change(@Body() { user: given }: { user: Change }, @CurrentUser() user: User) {
    const { password, ...changes } = given
    const hashed =
      password === undefined ? {} : { passwordHash: await this.#fastify.userAccounts.hashPassword(password) }
    const { id } = await this.#views.member(user)
    await this.#accounts.updateOne({ id }, { ...changes, ...hashed })
    return this.#withToken(await this.#views.member({ ...user, identifier: changes.email ?? user.identifier }))
  }

  @Get('/profiles/:username', { schema: answers.profile })
  async profile(@Param('username') username: string, @CurrentUser() user: User) {
    const [account, caller] = await Promise.all([this.#views.accountNamed(username), this.#views.caller(user)])
    return { profile: await this.#views.profile(account, caller) }
  }

  @Post('/profiles/:username/follow', { schema: answers.profile })
  @IsGranted('ROLE_USER')
  async follow(@Param('username') username: string, @CurrentUser() user: User) {
    const [followed, follower] = [await this.#views.accountNamed(username), await this.#views.member(user)]
    await this.#fastify.orm.repository(Follow).upsert({ followerId: follower.id, followedId: followed.id }, {})
    return { profile: await this.#views.profile(followed, follower) }
  }

  @Delete('/profiles/:username/follow', { schema: answers.profile })
  @IsGranted('ROLE_USER')
  async unfollow(@Param('username') username: string, @CurrentUser() user: User) {
    const [followed, follower] = [await this.#views.accountNamed(username), await this.#views.member(user)]
    await this.#fastify.orm.repository(Follow).delete({ followerId: follower.id, followedId: followed.id })
    return { profile: await this.#views.profile(followed, follower) }
  }

  get #accounts() {
    return this.#fastify.orm.repository(Account)
  }

  async #withToken(account: AccountRow) {
    const { accessToken } = await this.#fastify.tokens.issue({ identifier: account.email })
    return shown(account, accessToken)
  }
}

function shown({ email, username, bio, image }: AccountRow, token: string) {
  return { user: { email, token, username, bio, image } }
}
