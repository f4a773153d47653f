/** The user service: accounts, devices, sessions. */

export { access } from './access.ts';
export { collections as userCollections } from './core/collections.ts';
export { type Account, accounts } from './core/model/account.ts';
export { type Device, devices } from './core/model/device.ts';
export { type Role, roleReference, roles } from './core/model/role.ts';
export { furtherOfAccount, furtherOfDevice, furtherOfRole } from './core/records/further-fields.ts';
export { recordKinds as userRecordKinds } from './core/records/record-kinds.ts';
export { BUILT_IN_ROLES, builtInRole } from './core/roles/built-in-roles.ts';
export { exportedDevice, exportedRole, exportedUser } from './export/exported-user.ts';
export { type Media, mediaThrough, noMedia } from './peers/media.ts';
export { noRooms, type Rooms, roomsThrough } from './peers/rooms.ts';
export { startUserService, type UserService, type UserServiceOptions } from './service.ts';
export { registrationMac } from './verbs/registration/mac.ts';
