/** The user service: accounts, devices, sessions. */

export { type Media, mediaThrough, noMedia } from './peers/media.ts';
export { noRooms, type Rooms, roomsThrough } from './peers/rooms.ts';
export { startUserService, type UserService, type UserServiceOptions } from './service.ts';
export { registrationMac } from './verbs/registration/mac.ts';
