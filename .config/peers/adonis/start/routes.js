/** The routes and their controllers. */
import router from '@adonisjs/core/services/router'
import { named } from './kernel.js'

const PublicController = () => import('../app/public_controller.js')
const MembersController = () => import('../app/members_controller.js')

router.get('/public/hello', [PublicController, 'hello'])
router.post('/public/articles', [PublicController, 'create'])
router.get('/public/credentials', [PublicController, 'credentials'])
router
  .group(() => {
    router.get('/keys/hello', [MembersController, 'hello']).use(named.role('ROLE_MEMBER')).as('keys.hello')
    router.get('/keys/denied', [MembersController, 'hello']).use(named.role('ROLE_OWNER')).as('keys.denied')
  })
  .use(named.auth({ guards: ['api'] }))
router
  .get('/tokens/hello', [MembersController, 'hello'])
  .use([named.auth({ guards: ['jwt'] }), named.role('ROLE_MEMBER')])
  .as('tokens.hello')
