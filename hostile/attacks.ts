import type { Attack } from './attack.ts';
import { announcedBodies } from './attacks/announced-bodies.ts';
import { anonymousSockets } from './attacks/anonymous-sockets.ts';
import { challenges } from './attacks/challenges.ts';
import { compressedMessages } from './attacks/compressed-messages.ts';
import { hiddenState } from './attacks/hidden-state.ts';
import { longPolls } from './attacks/long-polls.ts';
import { membershipFlood } from './attacks/membership-flood.ts';
import { numberBodies } from './attacks/number-bodies.ts';
import { openChallenges } from './attacks/open-challenges.ts';
import { outsiderInvitations } from './attacks/outsider-invitations.ts';
import { publicMetrics } from './attacks/public-metrics.ts';
import { slowSenders } from './attacks/slow-senders.ts';
import { takeover } from './attacks/takeover.ts';
import { unreadAnswers } from './attacks/unread-answers.ts';
import { uploadFlood } from './attacks/upload-flood.ts';

/** All attacks, in the order in which they run. */
export const attacks: readonly Attack[] = [
  numberBodies,
  announcedBodies,
  anonymousSockets,
  slowSenders,
  unreadAnswers,
  longPolls,
  challenges,
  openChallenges,
  compressedMessages,
  membershipFlood,
  outsiderInvitations,
  uploadFlood,
  hiddenState,
  publicMetrics,
  takeover,
];
