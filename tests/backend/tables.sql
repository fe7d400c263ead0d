CREATE TABLE `access_roleassignment` (
  `id` varchar(14) NOT NULL,
  `role` varchar(10) NOT NULL,
  `scope_kind` varchar(11) NOT NULL,
  `scope` varchar(40) NOT NULL,
  `reason` longtext NOT NULL,
  `granted_by` varchar(80) NOT NULL,
  `granted_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) DEFAULT NULL,
  `team_id` varchar(14) DEFAULT NULL,
  `user_id` bigint(20) DEFAULT NULL,
  CONSTRAINT `access_roleassignment_team_id_d3ec7bc0_fk_accounts_team_id` FOREIGN KEY (`team_id`) REFERENCES `accounts_team` (`id`),
  CONSTRAINT `access_roleassignment_user_id_cfe8c2d4_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  CONSTRAINT `assignment_of_user_or_team` CHECK (`user_id` is null xor `team_id` is null),
  KEY `access_roleassignment_team_id_d3ec7bc0_fk_accounts_team_id` (`team_id`),
  KEY `access_roleassignment_user_id_cfe8c2d4_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_apitoken` (
  `id` varchar(14) NOT NULL,
  `label` varchar(63) NOT NULL,
  `role` varchar(10) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `last_used_at` datetime(6) DEFAULT NULL,
  `revoked_at` datetime(6) DEFAULT NULL,
  `user_id` bigint(20) NOT NULL,
  `second_person_from` datetime(6) NOT NULL,
  `addresses` longtext DEFAULT NULL CHECK (json_valid(`addresses`)),
  `environments` longtext DEFAULT NULL CHECK (json_valid(`environments`)),
  `links` longtext DEFAULT NULL CHECK (json_valid(`links`)),
  `permissions` longtext DEFAULT NULL CHECK (json_valid(`permissions`)),
  `rotated_from_id` varchar(14) DEFAULT NULL,
  `end_told_at` datetime(6) DEFAULT NULL,
  CONSTRAINT `accounts_apitoken_rotated_from_id_28910698_fk_accounts_` FOREIGN KEY (`rotated_from_id`) REFERENCES `accounts_apitoken` (`id`),
  CONSTRAINT `accounts_apitoken_user_id_bbee13e0_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `accounts_apitoken_rotated_from_id_28910698_fk_accounts_` (`rotated_from_id`),
  KEY `accounts_apitoken_user_id_bbee13e0_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `digest` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_installation` (
  `id` smallint(5) unsigned NOT NULL CHECK (`id` >= 0),
  `ended_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_logincounter` (
  `key` varchar(120) NOT NULL,
  `failures` int(10) unsigned NOT NULL CHECK (`failures` >= 0),
  `window_started_at` datetime(6) NOT NULL,
  PRIMARY KEY (`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_preferences` (
  `user_id` bigint(20) NOT NULL,
  `time_zone` varchar(64) NOT NULL,
  `time_format` varchar(3) NOT NULL,
  `density` varchar(11) NOT NULL,
  `color_scheme` varchar(5) NOT NULL,
  `link_views` longtext NOT NULL CHECK (json_valid(`link_views`)),
  `tour` varchar(8) NOT NULL,
  `workflow_view` varchar(5) NOT NULL,
  CONSTRAINT `accounts_preferences_user_id_157958a7_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  PRIMARY KEY (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_protectedchange` (
  `id` varchar(14) NOT NULL,
  `kind` varchar(40) NOT NULL,
  `target` varchar(80) NOT NULL,
  `summary` varchar(300) NOT NULL,
  `state` varchar(10) NOT NULL,
  `requested_by` varchar(80) NOT NULL,
  `requested_at` datetime(6) NOT NULL,
  `effective_at` datetime(6) NOT NULL,
  `decided_by` varchar(80) NOT NULL,
  `decided_at` datetime(6) DEFAULT NULL,
  `comment` longtext NOT NULL,
  `token_id` varchar(14) NOT NULL DEFAULT '',
  `people_behind` longtext DEFAULT NULL CHECK (json_valid(`people_behind`)),
  `earlier_tokens` longtext DEFAULT NULL CHECK (json_valid(`earlier_tokens`)),
  `target_name` varchar(80) NOT NULL DEFAULT '',
  KEY `accounts_protectedchange_effective_at_370a2c60` (`effective_at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_signin` (
  `id` varchar(14) NOT NULL,
  `session_key` varchar(40) NOT NULL,
  `source_ip` varchar(45) NOT NULL,
  `user_agent` varchar(200) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `last_active_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `accounts_signin_user_id_700b4e69_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `accounts_signin_user_id_700b4e69_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `session_key` (`session_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_team` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_team_members` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `team_id` varchar(14) NOT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `accounts_team_members_team_id_4443c9b3_fk_accounts_team_id` FOREIGN KEY (`team_id`) REFERENCES `accounts_team` (`id`),
  CONSTRAINT `accounts_team_members_user_id_81523d17_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `accounts_team_members_user_id_81523d17_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `accounts_team_members_team_id_user_id_f72999ba_uniq` (`team_id`,`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_user` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `password` varchar(255) NOT NULL,
  `last_login` datetime(6) DEFAULT NULL,
  `username` varchar(63) NOT NULL,
  `role` varchar(10) NOT NULL,
  `is_active` tinyint(1) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `name_skeleton` varchar(80) NOT NULL,
  `os_users` longtext NOT NULL CHECK (json_valid(`os_users`)),
  `second_person_from` datetime(6) NOT NULL,
  `is_service` tinyint(1) NOT NULL DEFAULT 0,
  `owner_id` bigint(20) DEFAULT NULL,
  `owner_team_id` varchar(14) DEFAULT NULL,
  `initial_password_until` datetime(6) DEFAULT NULL,
  `notice_accepted_at` datetime(6) DEFAULT NULL,
  `password_set_by` varchar(80) NOT NULL DEFAULT '',
  `people_behind` longtext DEFAULT NULL CHECK (json_valid(`people_behind`)),
  `made_with_token` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `accounts_user_owner_id_2853a240_fk_accounts_user_id` FOREIGN KEY (`owner_id`) REFERENCES `accounts_user` (`id`),
  CONSTRAINT `accounts_user_owner_team_id_845e51b7_fk_accounts_team_id` FOREIGN KEY (`owner_team_id`) REFERENCES `accounts_team` (`id`),
  KEY `accounts_user_owner_id_2853a240_fk_accounts_user_id` (`owner_id`),
  KEY `accounts_user_owner_team_id_845e51b7_fk_accounts_team_id` (`owner_team_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `accounts_user_name_skeleton_6e28ba92_uniq` (`name_skeleton`),
  UNIQUE KEY `username` (`username`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `accounts_user_former_owners` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `from_user_id` bigint(20) NOT NULL,
  `to_user_id` bigint(20) NOT NULL,
  CONSTRAINT `accounts_user_former_from_user_id_7f0ca68a_fk_accounts_` FOREIGN KEY (`from_user_id`) REFERENCES `accounts_user` (`id`),
  CONSTRAINT `accounts_user_former_to_user_id_a622ae10_fk_accounts_` FOREIGN KEY (`to_user_id`) REFERENCES `accounts_user` (`id`),
  KEY `accounts_user_former_to_user_id_a622ae10_fk_accounts_` (`to_user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `accounts_user_former_own_from_user_id_to_user_id_a4be019a_uniq` (`from_user_id`,`to_user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `advice_advicedismissal` (
  `id` varchar(14) NOT NULL,
  `code` varchar(60) NOT NULL,
  `fingerprint` varchar(16) NOT NULL,
  `fact` longtext NOT NULL,
  `reason` longtext NOT NULL,
  `by` varchar(80) NOT NULL,
  `at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `withdrawn_at` datetime(6) DEFAULT NULL,
  `cluster_id` varchar(14) DEFAULT NULL,
  `link_id` varchar(14) DEFAULT NULL,
  CONSTRAINT `advice_advicedismiss_cluster_id_cfa609b9_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `advice_advicedismissal_link_id_2fcd65aa_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `dismissal_cluster` (`cluster_id`,`withdrawn_at`,`expires_at`),
  KEY `dismissal_link` (`link_id`,`withdrawn_at`,`expires_at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `advice_advicenotice` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `subject_id` varchar(14) NOT NULL,
  `code` varchar(60) NOT NULL,
  `at` datetime(6) DEFAULT NULL,
  `is_open` tinyint(1) NOT NULL,
  `gone_since` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `advice_notice_once` (`subject_id`,`code`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `advice_certificatenotice` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `kind` varchar(10) NOT NULL,
  `name` varchar(300) NOT NULL,
  `ends_at` datetime(6) NOT NULL,
  `days` smallint(5) unsigned NOT NULL CHECK (`days` >= 0),
  `cluster_id` varchar(14) NOT NULL,
  CONSTRAINT `advice_certificateno_cluster_id_8cf396e3_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `certificate_notice_once` (`cluster_id`,`kind`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `advice_givenadvice` (
  `subject_id` varchar(14) NOT NULL,
  `at` datetime(6) NOT NULL,
  `items` longtext NOT NULL CHECK (json_valid(`items`)),
  `nodes` int(10) unsigned NOT NULL CHECK (`nodes` >= 0),
  `unread` int(10) unsigned NOT NULL CHECK (`unread` >= 0),
  PRIMARY KEY (`subject_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `advice_storedconfiguration` (
  `node_id` varchar(14) NOT NULL,
  `read_at` datetime(6) NOT NULL,
  `body` longtext NOT NULL CHECK (json_valid(`body`)),
  CONSTRAINT `advice_storedconfiguration_node_id_4efd54d8_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `api_labverification` (
  `id` varchar(14) NOT NULL,
  `state` varchar(8) NOT NULL,
  `summary` longtext NOT NULL,
  `is_clean` tinyint(1) DEFAULT NULL,
  `details` longtext NOT NULL CHECK (json_valid(`details`)),
  `started_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `approval_rules_linkapprovalrule` (
  `link_id` varchar(14) NOT NULL,
  `needed` smallint(5) unsigned NOT NULL CHECK (`needed` >= 0),
  `approvers` longtext NOT NULL CHECK (json_valid(`approvers`)),
  `pending` longtext DEFAULT NULL CHECK (json_valid(`pending`)),
  CONSTRAINT `approval_rules_linka_link_id_0f477104_fk_clusters_` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `audit_auditcheckpoint` (
  `name` varchar(20) NOT NULL,
  `seq` bigint(20) unsigned NOT NULL CHECK (`seq` >= 0),
  `hash` varchar(64) NOT NULL,
  `is_keyed` tinyint(1) NOT NULL,
  `started_at` datetime(6) NOT NULL,
  `finished_at` datetime(6) DEFAULT NULL,
  `bad_seq` bigint(20) unsigned DEFAULT NULL CHECK (`bad_seq` >= 0),
  `reason` varchar(30) NOT NULL,
  `detail` longtext NOT NULL,
  `key_id` varchar(16) NOT NULL,
  `mac` varchar(64) NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `audit_auditforwarding` (
  `receiver` varchar(20) NOT NULL,
  `seq` bigint(20) unsigned NOT NULL CHECK (`seq` >= 0),
  `failing_since` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`receiver`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `audit_audithead` (
  `id` smallint(5) unsigned NOT NULL CHECK (`id` >= 0),
  `seq` bigint(20) unsigned NOT NULL CHECK (`seq` >= 0),
  `hash` varchar(64) NOT NULL,
  `installation_id` varchar(36) NOT NULL,
  `key_id` varchar(16) NOT NULL,
  `mac` varchar(64) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `audit_auditrecord` (
  `seq` bigint(20) unsigned NOT NULL CHECK (`seq` >= 0),
  `at` datetime(6) NOT NULL,
  `actor` varchar(80) NOT NULL,
  `action` varchar(80) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `target` varchar(200) NOT NULL,
  `reason` longtext NOT NULL,
  `request_id` varchar(64) NOT NULL,
  `source_ip` varchar(45) NOT NULL,
  `facts` longtext NOT NULL CHECK (json_valid(`facts`)),
  `prev_hash` varchar(64) NOT NULL,
  `hash` varchar(64) NOT NULL,
  `key_id` varchar(16) NOT NULL,
  KEY `audit_auditrecord_action_2f2b5041` (`action`),
  KEY `audit_auditrecord_actor_4827e736` (`actor`),
  KEY `audit_auditrecord_at_8270bafd` (`at`),
  KEY `audit_auditrecord_link_id_bfd02db2` (`link_id`),
  KEY `audit_auditrecord_run_id_95241ba1` (`run_id`),
  PRIMARY KEY (`seq`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `auth_group` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(150) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `auth_group_permissions` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `group_id` int(11) NOT NULL,
  `permission_id` int(11) NOT NULL,
  CONSTRAINT `auth_group_permissio_permission_id_84c5c92e_fk_auth_perm` FOREIGN KEY (`permission_id`) REFERENCES `auth_permission` (`id`),
  CONSTRAINT `auth_group_permissions_group_id_b120cbf9_fk_auth_group_id` FOREIGN KEY (`group_id`) REFERENCES `auth_group` (`id`),
  KEY `auth_group_permissio_permission_id_84c5c92e_fk_auth_perm` (`permission_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `auth_group_permissions_group_id_permission_id_0cd325b0_uniq` (`group_id`,`permission_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `auth_permission` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `content_type_id` int(11) NOT NULL,
  `codename` varchar(100) NOT NULL,
  CONSTRAINT `auth_permission_content_type_id_2f476e4b_fk_django_co` FOREIGN KEY (`content_type_id`) REFERENCES `django_content_type` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `auth_permission_content_type_id_codename_01ab375a_uniq` (`content_type_id`,`codename`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `automation_automaticstart` (
  `link_id` varchar(14) NOT NULL,
  `enabled` tinyint(1) NOT NULL,
  `most_per_hour` int(10) unsigned NOT NULL CHECK (`most_per_hour` >= 0),
  `watch_state` longtext NOT NULL CHECK (json_valid(`watch_state`)),
  `acts` longtext NOT NULL CHECK (json_valid(`acts`)),
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `reason` longtext NOT NULL,
  `observed_at` datetime(6) DEFAULT NULL,
  `retry_at` datetime(6) DEFAULT NULL,
  `last_at` datetime(6) DEFAULT NULL,
  `last_plan_id` varchar(14) NOT NULL,
  `last_run_id` varchar(14) NOT NULL,
  `last_outcome` varchar(16) NOT NULL,
  `last_reason` longtext NOT NULL,
  `set_by` varchar(80) NOT NULL DEFAULT '',
  `people_behind` longtext DEFAULT NULL CHECK (json_valid(`people_behind`)),
  `token_id` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `automation_automaticstart_link_id_5ebecbdc_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `automation_linkautomation` (
  `link_id` varchar(14) NOT NULL,
  `mode` varchar(7) NOT NULL,
  `loss_for_s` int(10) unsigned NOT NULL CHECK (`loss_for_s` >= 0),
  `block_s` int(10) unsigned NOT NULL CHECK (`block_s` >= 0),
  `watch_state` longtext NOT NULL CHECK (json_valid(`watch_state`)),
  `reason` longtext NOT NULL,
  `observed_at` datetime(6) DEFAULT NULL,
  `acted_at` datetime(6) DEFAULT NULL,
  `acknowledged_at` datetime(6) DEFAULT NULL,
  `retry_at` datetime(6) DEFAULT NULL,
  `last_at` datetime(6) DEFAULT NULL,
  `last_plan_id` varchar(14) NOT NULL,
  `last_run_id` varchar(14) NOT NULL,
  `last_outcome` varchar(16) NOT NULL,
  `last_reason` longtext NOT NULL,
  `set_by` varchar(80) NOT NULL DEFAULT '',
  `acknowledged_by` varchar(80) NOT NULL DEFAULT '',
  `people_behind` longtext DEFAULT NULL CHECK (json_valid(`people_behind`)),
  `token_id` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `automation_linkautomation_link_id_c97d9855_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `automation_returnednode` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `failover_run` varchar(14) NOT NULL,
  `started_at` datetime(6) DEFAULT NULL,
  `returned_at` datetime(6) NOT NULL,
  `begins` varchar(240) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `attempts` int(10) unsigned NOT NULL CHECK (`attempts` >= 0),
  `tried_at` datetime(6) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `automation_returnednode_link_id_d11d8a79_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `automation_returnednode_node_id_10fccf32_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `automation_returnednode_node_id_10fccf32_fk_clusters_node_id` (`node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `returned_node_once` (`link_id`,`failover_run`,`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `bandwidth_linecapacity` (
  `cluster_id` varchar(14) NOT NULL,
  `mbit_per_s` double NOT NULL,
  `by` varchar(80) NOT NULL,
  `at` datetime(6) NOT NULL,
  CONSTRAINT `bandwidth_linecapaci_cluster_id_a86dc532_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`cluster_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `bandwidth_paircounters` (
  `cluster_id` varchar(14) NOT NULL,
  `seconds` double NOT NULL,
  `pairs` longtext NOT NULL CHECK (json_valid(`pairs`)),
  `left_out` int(10) unsigned NOT NULL CHECK (`left_out` >= 0),
  `by` varchar(80) NOT NULL,
  `at` datetime(6) NOT NULL,
  CONSTRAINT `bandwidth_paircounte_cluster_id_13143e7c_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`cluster_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `calibration_calibration` (
  `id` varchar(14) NOT NULL,
  `kind` varchar(10) NOT NULL,
  `actor` varchar(80) NOT NULL,
  `reason` longtext NOT NULL,
  `settings` longtext NOT NULL CHECK (json_valid(`settings`)),
  `state` varchar(12) NOT NULL,
  `stop_code` varchar(40) NOT NULL,
  `sentence` longtext NOT NULL,
  `result` longtext DEFAULT NULL CHECK (json_valid(`result`)),
  `started_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `unfinished` tinyint(1) DEFAULT NULL,
  `cluster_id` varchar(14) NOT NULL,
  `link_id` varchar(14) DEFAULT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `calibration_calibrat_cluster_id_460e9a50_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `calibration_calibration_link_id_647edfb8_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `calibration_calibration_node_id_c63de3d7_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `calibration_calibration_node_id_c63de3d7_fk_clusters_node_id` (`node_id`),
  KEY `calibration_cluster` (`cluster_id`,`kind`,`started_at`),
  KEY `calibration_link` (`link_id`,`kind`,`started_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `unfinished` (`unfinished`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `change_calendar_calendaroverride` (
  `plan_id` varchar(14) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `by` varchar(80) NOT NULL,
  `reason` longtext NOT NULL,
  `at` datetime(6) NOT NULL,
  `objections` longtext NOT NULL CHECK (json_valid(`objections`)),
  `mac` varchar(64) NOT NULL,
  PRIMARY KEY (`plan_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `change_calendar_changefreeze` (
  `name` varchar(63) NOT NULL,
  `reason` longtext NOT NULL,
  `links` longtext NOT NULL CHECK (json_valid(`links`)),
  `created_by` varchar(80) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `id` varchar(14) NOT NULL,
  `begins_at` datetime(6) NOT NULL,
  `ends_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `change_calendar_changewindow` (
  `name` varchar(63) NOT NULL,
  `reason` longtext NOT NULL,
  `links` longtext NOT NULL CHECK (json_valid(`links`)),
  `created_by` varchar(80) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `id` varchar(14) NOT NULL,
  `zone` varchar(64) NOT NULL,
  `weekdays` longtext NOT NULL CHECK (json_valid(`weekdays`)),
  `starts` time(6) DEFAULT NULL,
  `minutes` int(10) unsigned DEFAULT NULL CHECK (`minutes` >= 0),
  `opens_at` datetime(6) DEFAULT NULL,
  `closes_at` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `clusters_cluster` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `site` varchar(63) NOT NULL,
  `tls_mode` varchar(16) NOT NULL,
  `tls_ca` longtext NOT NULL,
  `state_uuid` varchar(36) DEFAULT NULL,
  `known_server_ids` longtext NOT NULL CHECK (json_valid(`known_server_ids`)),
  `created_at` datetime(6) NOT NULL,
  `retired_at` datetime(6) DEFAULT NULL,
  `retired_key` varchar(14) NOT NULL,
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `environment` varchar(40) NOT NULL DEFAULT '',
  `tls_cert` longtext NOT NULL DEFAULT '',
  `tls_key_reference` varchar(300) DEFAULT NULL,
  `tls_key_sealed` longtext NOT NULL DEFAULT '',
  `logged_origins` longtext DEFAULT NULL CHECK (json_valid(`logged_origins`)),
  PRIMARY KEY (`id`),
  UNIQUE KEY `cluster_name` (`name`,`retired_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `clusters_credential` (
  `id` varchar(14) NOT NULL,
  `role` varchar(12) NOT NULL,
  `user` varchar(128) NOT NULL,
  `sealed` longtext NOT NULL,
  `cluster_id` varchar(14) NOT NULL,
  `is_rotated` tinyint(1) DEFAULT NULL,
  `other_sealed` longtext DEFAULT NULL,
  `read_at` datetime(6) DEFAULT NULL,
  `read_problem` longtext DEFAULT NULL,
  `reference` varchar(300) DEFAULT NULL,
  `rotation_run` varchar(14) DEFAULT NULL,
  CONSTRAINT `clusters_credential_cluster_id_c8b60802_fk_clusters_cluster_id` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `credential_role` (`cluster_id`,`role`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `clusters_link` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `channel_name` varchar(191) NOT NULL,
  `requires_approval` tinyint(1) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `active_cluster_id` varchar(14) NOT NULL,
  `home_cluster_id` varchar(14) DEFAULT NULL,
  `standby_cluster_id` varchar(14) NOT NULL,
  `pause_reason` longtext NOT NULL,
  `paused_by` varchar(80) NOT NULL,
  `paused_until` datetime(6) DEFAULT NULL,
  `retired_at` datetime(6) DEFAULT NULL,
  `retired_key` varchar(14) NOT NULL,
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `environment` varchar(40) NOT NULL DEFAULT '',
  `writes_on_both_sides` tinyint(1) NOT NULL DEFAULT 0,
  CONSTRAINT `clusters_link_active_cluster_id_61803dd2_fk_clusters_cluster_id` FOREIGN KEY (`active_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `clusters_link_home_cluster_id_7a73e218_fk_clusters_cluster_id` FOREIGN KEY (`home_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `clusters_link_standby_cluster_id_bd79115a_fk_clusters_cluster_id` FOREIGN KEY (`standby_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  KEY `clusters_link_active_cluster_id_61803dd2_fk_clusters_cluster_id` (`active_cluster_id`),
  KEY `clusters_link_home_cluster_id_7a73e218_fk_clusters_cluster_id` (`home_cluster_id`),
  KEY `clusters_link_standby_cluster_id_bd79115a_fk_clusters_cluster_id` (`standby_cluster_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `link_name` (`name`,`retired_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `clusters_node` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `host` varchar(253) NOT NULL,
  `port` int(10) unsigned NOT NULL CHECK (`port` >= 0),
  `ordinal` smallint(5) unsigned NOT NULL CHECK (`ordinal` >= 0),
  `cluster_id` varchar(14) NOT NULL,
  `server` varchar(700) NOT NULL,
  `server_id` bigint(20) unsigned DEFAULT NULL CHECK (`server_id` >= 0),
  CONSTRAINT `clusters_node_cluster_id_da46f92d_fk_clusters_cluster_id` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `node_address` (`host`,`port`),
  UNIQUE KEY `node_name` (`cluster_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `clusters_serveracceptance` (
  `id` varchar(14) NOT NULL,
  `open_cluster` varchar(14) DEFAULT NULL,
  `flavor` varchar(20) NOT NULL,
  `series` varchar(20) NOT NULL,
  `text` longtext NOT NULL,
  `accepted_by` varchar(80) NOT NULL,
  `accepted_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `ended_by` varchar(80) NOT NULL,
  `end_reason` longtext NOT NULL,
  `cluster_id` varchar(14) NOT NULL,
  CONSTRAINT `clusters_serveraccep_cluster_id_f7f18c52_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  KEY `clusters_serveraccep_cluster_id_f7f18c52_fk_clusters_` (`cluster_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `open_cluster` (`open_cluster`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `common_idempotencyrecord` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `caller` varchar(80) NOT NULL,
  `key` varchar(128) NOT NULL,
  `fingerprint` varchar(64) NOT NULL,
  `status` smallint(5) unsigned DEFAULT NULL CHECK (`status` >= 0),
  `content_type` varchar(80) NOT NULL,
  `body` longtext DEFAULT NULL CHECK (json_valid(`body`)),
  `created_at` datetime(6) NOT NULL,
  `owner` varchar(160) NOT NULL DEFAULT '',
  KEY `common_idempotencyrecord_created_at_04f47951` (`created_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `idempotency_caller_key` (`caller`,`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `common_processheartbeat` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `kind` varchar(20) NOT NULL,
  `instance` varchar(120) NOT NULL,
  `seen_at` datetime(6) NOT NULL,
  `clock_offset_s` double DEFAULT NULL,
  KEY `common_processheartbeat_seen_at_99382082` (`seen_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `heartbeat_kind_instance` (`kind`,`instance`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `django_content_type` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `app_label` varchar(100) NOT NULL,
  `model` varchar(100) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `django_content_type_app_label_model_76bd3d3b_uniq` (`app_label`,`model`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `django_migrations` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `app` varchar(255) NOT NULL,
  `name` varchar(255) NOT NULL,
  `applied` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `django_session` (
  `session_key` varchar(40) NOT NULL,
  `session_data` longtext NOT NULL,
  `expire_date` datetime(6) NOT NULL,
  KEY `django_session_expire_date_a5c62663` (`expire_date`),
  PRIMARY KEY (`session_key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `events_event` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `type` varchar(20) NOT NULL,
  `at` datetime(6) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `data` longtext NOT NULL CHECK (json_valid(`data`)),
  KEY `event_link_type` (`link_id`,`type`,`id`),
  KEY `event_run` (`run_id`,`id`),
  KEY `event_type_at` (`type`,`at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `history_readinessday` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `day` date NOT NULL,
  `ready_s` double NOT NULL,
  `not_ready_s` double NOT NULL,
  `counted_at` datetime(6) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  CONSTRAINT `history_readinessday_link_id_c894ded5_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `readiness_day` (`link_id`,`day`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `hooks_delivery` (
  `id` varchar(14) NOT NULL,
  `key` varchar(64) NOT NULL,
  `phase` varchar(6) NOT NULL,
  `kind` varchar(60) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `payload` longtext NOT NULL CHECK (json_valid(`payload`)),
  `state` varchar(9) NOT NULL,
  `attempts` smallint(5) unsigned NOT NULL CHECK (`attempts` >= 0),
  `status` smallint(5) unsigned DEFAULT NULL CHECK (`status` >= 0),
  `ms` double DEFAULT NULL,
  `answer` longtext NOT NULL,
  `error` longtext NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `last_at` datetime(6) DEFAULT NULL,
  `due_at` datetime(6) DEFAULT NULL,
  `hook_id` varchar(14) NOT NULL,
  `former` longtext DEFAULT NULL CHECK (json_valid(`former`)),
  CONSTRAINT `hooks_delivery_hook_id_9588de63_fk_hooks_hook_id` FOREIGN KEY (`hook_id`) REFERENCES `hooks_hook` (`id`),
  KEY `delivery_due` (`due_at`),
  KEY `delivery_newest` (`hook_id`,`created_at`,`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `delivery_key` (`hook_id`,`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `hooks_hook` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `sealed` longtext NOT NULL,
  `phase` varchar(6) NOT NULL,
  `kinds` longtext NOT NULL CHECK (json_valid(`kinds`)),
  `blocking` tinyint(1) NOT NULL,
  `timeout_s` smallint(5) unsigned NOT NULL CHECK (`timeout_s` >= 0),
  `min_severity` varchar(8) NOT NULL,
  `enabled` tinyint(1) NOT NULL,
  `event_cursor` bigint(20) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `link_id` varchar(14) DEFAULT NULL,
  `sealed_url` longtext NOT NULL,
  `service` varchar(9) NOT NULL DEFAULT 'webhook',
  `formers` longtext DEFAULT NULL CHECK (json_valid(`formers`)),
  `former_until` datetime(6) DEFAULT NULL,
  `is_deleted` tinyint(1) NOT NULL DEFAULT 0,
  CONSTRAINT `hooks_hook_link_id_a2798a57_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `hook_name` (`link_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `identities_identity` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `kind` varchar(4) NOT NULL,
  `key` varchar(64) NOT NULL,
  `issuer` varchar(500) NOT NULL,
  `subject` varchar(500) NOT NULL,
  `email` varchar(254) NOT NULL,
  `groups` longtext NOT NULL CHECK (json_valid(`groups`)),
  `aliases` longtext NOT NULL CHECK (json_valid(`aliases`)),
  `created_at` datetime(6) NOT NULL,
  `confirmed_at` datetime(6) NOT NULL,
  `person_id` bigint(20) DEFAULT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `identities_identity_person_id_908d4320_fk_accounts_user_id` FOREIGN KEY (`person_id`) REFERENCES `accounts_user` (`id`),
  CONSTRAINT `identities_identity_user_id_d097609e_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `identities_identity_confirmed_at_d8aee782` (`confirmed_at`),
  KEY `identities_identity_person_id_908d4320_fk_accounts_user_id` (`person_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `key` (`key`),
  UNIQUE KEY `user_id` (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `identities_providersession` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `sid` varchar(255) NOT NULL,
  `sealed_tokens` longtext NOT NULL,
  `checked_at` datetime(6) NOT NULL,
  `confirmed_at` datetime(6) NOT NULL,
  `identity_id` bigint(20) NOT NULL,
  `sign_in_id` varchar(14) NOT NULL,
  CONSTRAINT `identities_providers_identity_id_cf27fe27_fk_identitie` FOREIGN KEY (`identity_id`) REFERENCES `identities_identity` (`id`),
  CONSTRAINT `identities_providers_sign_in_id_4dbf5723_fk_accounts_` FOREIGN KEY (`sign_in_id`) REFERENCES `accounts_signin` (`id`),
  KEY `identities_providers_identity_id_cf27fe27_fk_identitie` (`identity_id`),
  KEY `identities_providersession_sid_fe0f2451` (`sid`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `sign_in_id` (`sign_in_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `identities_usedlogouttoken` (
  `key` varchar(64) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  KEY `identities_usedlogouttoken_expires_at_c16e6ece` (`expires_at`),
  PRIMARY KEY (`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `incidents_incident` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `scope_kind` varchar(5) NOT NULL,
  `scope_value` varchar(63) NOT NULL,
  `scope_name` varchar(63) NOT NULL,
  `state` varchar(8) NOT NULL,
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `at_once` smallint(5) unsigned NOT NULL CHECK (`at_once` >= 0),
  `stop_at_failure` tinyint(1) NOT NULL,
  `is_ordered` tinyint(1) NOT NULL,
  `round` smallint(5) unsigned NOT NULL CHECK (`round` >= 0),
  `digest` varchar(64) NOT NULL,
  `mac` varchar(64) NOT NULL,
  `reason` longtext NOT NULL,
  `confirmed_by` varchar(80) NOT NULL,
  `confirmed_at` datetime(6) DEFAULT NULL,
  `outcome` longtext NOT NULL,
  `created_by` varchar(80) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `token_id` varchar(14) NOT NULL DEFAULT '',
  `people_behind` longtext DEFAULT NULL CHECK (json_valid(`people_behind`)),
  KEY `incidents_incident_created_at_cf5e1cd8` (`created_at`),
  KEY `incidents_incident_state_e0865721` (`state`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `incidents_incidentapproval` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `round` smallint(5) unsigned NOT NULL CHECK (`round` >= 0),
  `digest` varchar(64) NOT NULL,
  `approver` varchar(80) NOT NULL,
  `comment` longtext NOT NULL,
  `at` datetime(6) NOT NULL,
  `mac` varchar(64) NOT NULL,
  `incident_id` varchar(14) NOT NULL,
  `token_id` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `incidents_incidentap_incident_id_3bc94b14_fk_incidents` FOREIGN KEY (`incident_id`) REFERENCES `incidents_incident` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `incident_approval_round` (`incident_id`,`round`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `incidents_incidentitem` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `position` smallint(5) unsigned NOT NULL CHECK (`position` >= 0),
  `role` varchar(7) NOT NULL,
  `why` longtext NOT NULL,
  `kind` varchar(20) NOT NULL,
  `label` varchar(200) NOT NULL,
  `no_operation` longtext NOT NULL,
  `options` longtext NOT NULL CHECK (json_valid(`options`)),
  `at_risk` int(10) unsigned DEFAULT NULL CHECK (`at_risk` >= 0),
  `outage_since` datetime(6) DEFAULT NULL,
  `is_left_out` tinyint(1) NOT NULL,
  `is_confirmed` tinyint(1) NOT NULL,
  `earlier_plans` longtext NOT NULL CHECK (json_valid(`earlier_plans`)),
  `planning` tinyint(1) NOT NULL,
  `planning_round` smallint(5) unsigned NOT NULL CHECK (`planning_round` >= 0),
  `planned_by` varchar(80) NOT NULL,
  `planning_until` datetime(6) DEFAULT NULL,
  `dispatched_until` datetime(6) DEFAULT NULL,
  `problem_code` varchar(40) NOT NULL,
  `problem` longtext NOT NULL,
  `incident_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `plan_id` varchar(14) DEFAULT NULL,
  CONSTRAINT `incidents_incidentit_incident_id_bd9f2aaa_fk_incidents` FOREIGN KEY (`incident_id`) REFERENCES `incidents_incident` (`id`),
  CONSTRAINT `incidents_incidentitem_link_id_23eef0e1_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `incidents_incidentitem_plan_id_00cee4cb_fk_runs_plan_id` FOREIGN KEY (`plan_id`) REFERENCES `runs_plan` (`id`),
  KEY `incidents_incidentitem_link_id_23eef0e1_fk_clusters_link_id` (`link_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `incident_link_once` (`incident_id`,`link_id`),
  UNIQUE KEY `plan_id` (`plan_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_absencealarm` (
  `node_id` varchar(14) NOT NULL,
  `since` datetime(6) NOT NULL,
  CONSTRAINT `monitoring_absencealarm_node_id_234f1b80_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_channelrecord` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `direction` varchar(7) NOT NULL,
  `channel` longtext NOT NULL CHECK (json_valid(`channel`)),
  `observed_at` datetime(6) NOT NULL,
  `waits_for_position` varchar(240) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `replica_node_id` varchar(14) NOT NULL,
  `source_node_id` varchar(14) NOT NULL,
  `log_break` longtext DEFAULT NULL CHECK (json_valid(`log_break`)),
  `applied_at_s` double DEFAULT NULL,
  `cert_failures` bigint(20) DEFAULT NULL,
  `account` longtext DEFAULT NULL CHECK (json_valid(`account`)),
  CONSTRAINT `monitoring_channelre_replica_node_id_4fb4e3c1_fk_clusters_` FOREIGN KEY (`replica_node_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `monitoring_channelre_source_node_id_35955541_fk_clusters_` FOREIGN KEY (`source_node_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `monitoring_channelrecord_link_id_5aa33ce0_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `monitoring_channelre_replica_node_id_4fb4e3c1_fk_clusters_` (`replica_node_id`),
  KEY `monitoring_channelre_source_node_id_35955541_fk_clusters_` (`source_node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `record_direction` (`link_id`,`direction`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_checkpoint` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `state_uuid` varchar(36) NOT NULL,
  `file` varchar(220) NOT NULL,
  `offset` bigint(20) NOT NULL,
  `seqno` bigint(20) NOT NULL,
  `exact` tinyint(1) NOT NULL,
  `retention_level` smallint(5) unsigned NOT NULL CHECK (`retention_level` >= 0),
  `observed_at` datetime(6) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  `is_void` tinyint(1) NOT NULL DEFAULT 0,
  CONSTRAINT `monitoring_checkpoint_node_id_b8657072_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `checkpoint_level_at` (`retention_level`,`observed_at`),
  KEY `checkpoint_node_at` (`node_id`,`observed_at`),
  KEY `checkpoint_seqno` (`node_id`,`state_uuid`,`seqno`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_cleanupdue` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `direction` varchar(7) NOT NULL,
  `channel_name` varchar(191) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_cleanupdue_link_id_80c81c61_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `monitoring_cleanupdue_node_id_891a9902_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `monitoring_cleanupdue_node_id_891a9902_fk_clusters_node_id` (`node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `cleanup_due_once` (`link_id`,`node_id`,`direction`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_clusterowner` (
  `cluster_id` varchar(14) NOT NULL,
  `holder` varchar(140) NOT NULL,
  `epoch` bigint(20) unsigned NOT NULL CHECK (`epoch` >= 0),
  `since` datetime(6) NOT NULL,
  `takeovers` int(10) unsigned NOT NULL CHECK (`takeovers` >= 0),
  CONSTRAINT `monitoring_clusterow_cluster_id_cb4f46d5_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  KEY `monitoring_clusterowner_holder_0fce020a` (`holder`),
  PRIMARY KEY (`cluster_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_clusterview` (
  `cluster_id` varchar(14) NOT NULL,
  `state_uuid` varchar(36) NOT NULL,
  `seqnos` longtext NOT NULL CHECK (json_valid(`seqnos`)),
  `differs_since` datetime(6) DEFAULT NULL,
  `parted` longtext NOT NULL CHECK (json_valid(`parted`)),
  `observed_at` datetime(6) NOT NULL,
  CONSTRAINT `monitoring_clustervi_cluster_id_0a53621c_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`cluster_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_divergence` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `open_link` varchar(14) DEFAULT NULL,
  `run_id` varchar(14) NOT NULL,
  `facts` longtext NOT NULL CHECK (json_valid(`facts`)),
  `created_at` datetime(6) NOT NULL,
  `reconciled_at` datetime(6) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `lost_cluster_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_divergenc_lost_cluster_id_2edd82ea_fk_clusters_` FOREIGN KEY (`lost_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `monitoring_divergence_link_id_cbc04142_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `monitoring_divergenc_lost_cluster_id_2edd82ea_fk_clusters_` (`lost_cluster_id`),
  KEY `monitoring_divergence_link_id_cbc04142_fk_clusters_link_id` (`link_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `open_link` (`open_link`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_lagbucket` (
  `width_s` smallint(5) unsigned NOT NULL CHECK (`width_s` >= 0),
  `at` datetime(6) NOT NULL,
  `samples` smallint(5) unsigned NOT NULL CHECK (`samples` >= 0),
  `state_rank` smallint(5) unsigned DEFAULT NULL CHECK (`state_rank` >= 0),
  `forward_gap_min` int(11) DEFAULT NULL,
  `forward_gap_max` int(11) DEFAULT NULL,
  `forward_gap_sum` bigint(20) DEFAULT NULL,
  `forward_gap_known` smallint(5) unsigned NOT NULL CHECK (`forward_gap_known` >= 0),
  `forward_lag_s_min` int(11) DEFAULT NULL,
  `forward_lag_s_max` int(11) DEFAULT NULL,
  `forward_lag_s_sum` bigint(20) DEFAULT NULL,
  `forward_lag_s_known` smallint(5) unsigned NOT NULL CHECK (`forward_lag_s_known` >= 0),
  `reverse_gap_min` int(11) DEFAULT NULL,
  `reverse_gap_max` int(11) DEFAULT NULL,
  `reverse_gap_sum` bigint(20) DEFAULT NULL,
  `reverse_gap_known` smallint(5) unsigned NOT NULL CHECK (`reverse_gap_known` >= 0),
  `reverse_lag_s_min` int(11) DEFAULT NULL,
  `reverse_lag_s_max` int(11) DEFAULT NULL,
  `reverse_lag_s_sum` bigint(20) DEFAULT NULL,
  `reverse_lag_s_known` smallint(5) unsigned NOT NULL CHECK (`reverse_lag_s_known` >= 0),
  `link_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_lagbucket_link_id_f687a1cf_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`,`width_s`,`at`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_lagprogress` (
  `width_s` smallint(5) unsigned NOT NULL CHECK (`width_s` >= 0),
  `rolled_until` datetime(6) DEFAULT NULL,
  `kept_from` datetime(6) DEFAULT NULL,
  PRIMARY KEY (`width_s`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_lagsample` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at` datetime(6) NOT NULL,
  `forward_gap` int(11) DEFAULT NULL,
  `forward_lag_s` int(11) DEFAULT NULL,
  `reverse_gap` int(11) DEFAULT NULL,
  `reverse_lag_s` int(11) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `state_rank` smallint(5) unsigned DEFAULT NULL CHECK (`state_rank` >= 0),
  CONSTRAINT `monitoring_lagsample_link_id_e1a2101d_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `lag_link_at` (`link_id`,`at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_linkstatus` (
  `link_id` varchar(14) NOT NULL,
  `state` varchar(12) NOT NULL,
  `since` datetime(6) NOT NULL,
  `observed_at` datetime(6) NOT NULL,
  `sentence` longtext NOT NULL,
  `detail` longtext NOT NULL,
  `findings` longtext NOT NULL CHECK (json_valid(`findings`)),
  `channels` longtext NOT NULL CHECK (json_valid(`channels`)),
  `clusters` longtext NOT NULL CHECK (json_valid(`clusters`)),
  `readiness` longtext NOT NULL CHECK (json_valid(`readiness`)),
  `primary_action` longtext DEFAULT NULL CHECK (json_valid(`primary_action`)),
  `last_ok` longtext NOT NULL CHECK (json_valid(`last_ok`)),
  `refreshed_at` datetime(6) DEFAULT NULL,
  CONSTRAINT `monitoring_linkstatus_link_id_f78c2f39_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_monitorlease` (
  `id` smallint(5) unsigned NOT NULL CHECK (`id` >= 0),
  `holder` varchar(120) NOT NULL,
  `until` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_monitorprocess` (
  `name` varchar(140) NOT NULL,
  `until` datetime(6) NOT NULL,
  `ready` longtext NOT NULL CHECK (json_valid(`ready`)),
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_nodeevents` (
  `node_id` varchar(14) NOT NULL,
  `read_at` datetime(6) NOT NULL,
  `events` longtext NOT NULL CHECK (json_valid(`events`)),
  CONSTRAINT `monitoring_nodeevents_node_id_137857d8_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_nodelog` (
  `node_id` varchar(14) NOT NULL,
  `state_uuid` varchar(36) NOT NULL,
  `seqno` bigint(20) NOT NULL,
  `file` varchar(220) NOT NULL,
  `created_s` bigint(20) NOT NULL,
  `event_offset` bigint(20) DEFAULT NULL,
  `end_offset` bigint(20) NOT NULL,
  `xid` bigint(20) DEFAULT NULL,
  `server_id` bigint(20) DEFAULT NULL,
  `started_at_s` double NOT NULL,
  `observed_at_s` double NOT NULL,
  `unread_since_s` double DEFAULT NULL,
  CONSTRAINT `monitoring_nodelog_node_id_1b37d01d_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_nodemaintenance` (
  `id` varchar(14) NOT NULL,
  `open_cluster` varchar(14) DEFAULT NULL,
  `run_id` varchar(14) NOT NULL,
  `opened_by` varchar(80) NOT NULL,
  `opened_at` datetime(6) NOT NULL,
  `allowed_at` datetime(6) DEFAULT NULL,
  `until` datetime(6) NOT NULL,
  `members` smallint(5) unsigned NOT NULL CHECK (`members` >= 0),
  `freeze_seqno` bigint(20) DEFAULT NULL,
  `unfrozen_at` datetime(6) DEFAULT NULL,
  `unfreeze_error` longtext NOT NULL,
  `stage` varchar(12) NOT NULL,
  `result` varchar(12) NOT NULL,
  `sentence` longtext NOT NULL,
  `watch` longtext NOT NULL CHECK (json_valid(`watch`)),
  `left_at` datetime(6) DEFAULT NULL,
  `returned_at` datetime(6) DEFAULT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `ended_by` varchar(80) NOT NULL,
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `cluster_id` varchar(14) NOT NULL,
  `donor_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_nodemaint_cluster_id_9ab3718b_fk_clusters_` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `monitoring_nodemaintenance_donor_id_7bb1f77a_fk_clusters_node_id` FOREIGN KEY (`donor_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `monitoring_nodemaintenance_link_id_74c381d2_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `monitoring_nodemaintenance_node_id_9a9aaaec_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `maintenance_of_cluster` (`cluster_id`,`opened_at` DESC),
  KEY `monitoring_nodemaintenance_donor_id_7bb1f77a_fk_clusters_node_id` (`donor_id`),
  KEY `monitoring_nodemaintenance_link_id_74c381d2_fk_clusters_link_id` (`link_id`),
  KEY `monitoring_nodemaintenance_node_id_9a9aaaec_fk_clusters_node_id` (`node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `open_cluster` (`open_cluster`),
  UNIQUE KEY `run_id` (`run_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_nodestate` (
  `node_id` varchar(14) NOT NULL,
  `reach` varchar(8) NOT NULL,
  `since` datetime(6) NOT NULL,
  `read_at` datetime(6) DEFAULT NULL,
  `missed_at` datetime(6) DEFAULT NULL,
  `observed_at` datetime(6) NOT NULL,
  `facts` longtext NOT NULL CHECK (json_valid(`facts`)),
  `moved` longtext DEFAULT NULL CHECK (json_valid(`moved`)),
  CONSTRAINT `monitoring_nodestate_node_id_da928238_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_othersource` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `channel_name` varchar(191) NOT NULL,
  `channel` longtext NOT NULL CHECK (json_valid(`channel`)),
  `log_break` longtext DEFAULT NULL CHECK (json_valid(`log_break`)),
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_othersource_node_id_5b8cd7ad_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `other_source_channel` (`node_id`,`channel_name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_proofperiod` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `cause` varchar(16) NOT NULL,
  `began_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) NOT NULL,
  `span_since_s` double DEFAULT NULL,
  `transactions` bigint(20) NOT NULL,
  `compared` bigint(20) NOT NULL,
  `is_latest` tinyint(1) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `receiving_cluster_id` varchar(14) NOT NULL,
  `source_cluster_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_proofperi_receiving_cluster_id_ed6b74c6_fk_clusters_` FOREIGN KEY (`receiving_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `monitoring_proofperi_source_cluster_id_fca4e756_fk_clusters_` FOREIGN KEY (`source_cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `monitoring_proofperiod_link_id_b958f1c8_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `monitoring_proofperi_receiving_cluster_id_ed6b74c6_fk_clusters_` (`receiving_cluster_id`),
  KEY `monitoring_proofperi_source_cluster_id_fca4e756_fk_clusters_` (`source_cluster_id`),
  KEY `monitoring_proofperiod_ended_at_67b5d482` (`ended_at`),
  KEY `proof_period_ended` (`link_id`,`receiving_cluster_id`,`ended_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `proof_period_latest` (`link_id`,`receiving_cluster_id`,`is_latest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_sidefence` (
  `cluster_id` varchar(14) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `kind` varchar(24) NOT NULL,
  `fenced_at` datetime(6) NOT NULL,
  `opened_at` datetime(6) DEFAULT NULL,
  CONSTRAINT `monitoring_sidefence_cluster_id_c6185323_fk_clusters_cluster_id` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  PRIMARY KEY (`cluster_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_straychannel` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `channel_name` varchar(191) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `seen_at` datetime(6) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_straychannel_link_id_2626dd52_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `monitoring_straychannel_node_id_f8e52685_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `monitoring_straychannel_node_id_f8e52685_fk_clusters_node_id` (`node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `stray_channel_once` (`link_id`,`node_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_unsafeperiod` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `node_id` varchar(14) NOT NULL,
  `node_name` varchar(63) NOT NULL,
  `variable` varchar(80) NOT NULL,
  `value` longtext NOT NULL,
  `began_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_unsafeperiod_link_id_bc7e52e7_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `unsafe_period_setting` (`link_id`,`node_id`,`variable`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `monitoring_writesetreading` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `at` datetime(6) NOT NULL,
  `is_hourly` tinyint(1) NOT NULL,
  `state_uuid` varchar(36) NOT NULL,
  `seqno` bigint(20) NOT NULL,
  `replicated` bigint(20) NOT NULL,
  `replicated_bytes` bigint(20) NOT NULL,
  `received` bigint(20) NOT NULL,
  `received_bytes` bigint(20) NOT NULL,
  `write_sets` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `own_bytes` bigint(20) NOT NULL,
  `covered_s` double NOT NULL,
  `node_id` varchar(14) NOT NULL,
  CONSTRAINT `monitoring_writesetreading_node_id_be10b7b2_fk_clusters_node_id` FOREIGN KEY (`node_id`) REFERENCES `clusters_node` (`id`),
  KEY `write_set_age` (`is_hourly`,`at`),
  KEY `write_set_node_at` (`node_id`,`at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `network_networkmeasurement` (
  `id` varchar(14) NOT NULL,
  `tool` varchar(24) NOT NULL,
  `is_signed` tinyint(1) NOT NULL,
  `actor` varchar(80) NOT NULL,
  `measured_at` datetime(6) NOT NULL,
  `stored_at` datetime(6) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `figures` longtext NOT NULL CHECK (json_valid(`figures`)),
  `from_node_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `to_node_id` varchar(14) NOT NULL,
  CONSTRAINT `network_networkmeasu_from_node_id_2aa1cc6e_fk_clusters_` FOREIGN KEY (`from_node_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `network_networkmeasu_to_node_id_be3f8bf6_fk_clusters_` FOREIGN KEY (`to_node_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `network_networkmeasurement_link_id_fa6fe5ac_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `measurement_newest` (`link_id`,`measured_at`),
  KEY `network_networkmeasu_from_node_id_2aa1cc6e_fk_clusters_` (`from_node_id`),
  KEY `network_networkmeasu_to_node_id_be3f8bf6_fk_clusters_` (`to_node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `measurement_once` (`link_id`,`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `network_probetoken` (
  `id` varchar(14) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `created_by` varchar(80) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `used_at` datetime(6) DEFAULT NULL,
  `from_node_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `to_node_id` varchar(14) NOT NULL,
  CONSTRAINT `network_probetoken_from_node_id_e9d21714_fk_clusters_node_id` FOREIGN KEY (`from_node_id`) REFERENCES `clusters_node` (`id`),
  CONSTRAINT `network_probetoken_link_id_a5b12000_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `network_probetoken_to_node_id_abadcb02_fk_clusters_node_id` FOREIGN KEY (`to_node_id`) REFERENCES `clusters_node` (`id`),
  KEY `network_probetoken_expires_at_e5e8925f` (`expires_at`),
  KEY `network_probetoken_from_node_id_e9d21714_fk_clusters_node_id` (`from_node_id`),
  KEY `network_probetoken_link_id_a5b12000_fk_clusters_link_id` (`link_id`),
  KEY `network_probetoken_to_node_id_abadcb02_fk_clusters_node_id` (`to_node_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `digest` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `orphans_orphan` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `index` int(10) unsigned NOT NULL CHECK (`index` >= 0),
  `body` longtext NOT NULL CHECK (json_valid(`body`)),
  `scan_id` varchar(14) NOT NULL,
  CONSTRAINT `orphans_orphan_scan_id_efa73eb4_fk_orphans_orphanscan_id` FOREIGN KEY (`scan_id`) REFERENCES `orphans_orphanscan` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `orphan_index` (`scan_id`,`index`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `orphans_orphanscan` (
  `id` varchar(14) NOT NULL,
  `divergence_run` varchar(14) NOT NULL,
  `node_id` varchar(14) NOT NULL,
  `node` varchar(63) NOT NULL,
  `state` varchar(10) NOT NULL,
  `detail` longtext NOT NULL,
  `first_position` varchar(240) NOT NULL,
  `last_position` varchar(240) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `transactions` int(10) unsigned NOT NULL CHECK (`transactions` >= 0),
  `rows` int(10) unsigned NOT NULL CHECK (`rows` >= 0),
  `tables` longtext NOT NULL CHECK (json_valid(`tables`)),
  `table_definitions` longtext NOT NULL CHECK (json_valid(`table_definitions`)),
  `first_at` datetime(6) DEFAULT NULL,
  `last_at` datetime(6) DEFAULT NULL,
  `scanned_at` datetime(6) NOT NULL,
  `cluster_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `overwritten` longtext NOT NULL CHECK (json_valid(`overwritten`)),
  `refusals` longtext NOT NULL CHECK (json_valid(`refusals`)),
  `node_logs` longtext NOT NULL CHECK (json_valid(`node_logs`)),
  `schema_changes` longtext NOT NULL CHECK (json_valid(`schema_changes`)),
  CONSTRAINT `orphans_orphanscan_cluster_id_4cd684a5_fk_clusters_cluster_id` FOREIGN KEY (`cluster_id`) REFERENCES `clusters_cluster` (`id`),
  CONSTRAINT `orphans_orphanscan_link_id_38a397ba_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `orphans_orphanscan_cluster_id_4cd684a5_fk_clusters_cluster_id` (`cluster_id`),
  KEY `orphans_orphanscan_link_id_38a397ba_fk_clusters_link_id` (`link_id`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `registration_draftcredential` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `side` varchar(6) NOT NULL,
  `role` varchar(12) NOT NULL,
  `user` varchar(128) NOT NULL,
  `sealed` longtext NOT NULL,
  `draft_id` varchar(14) NOT NULL,
  `reference` varchar(300) DEFAULT NULL,
  CONSTRAINT `registration_draftcr_draft_id_fb60eeba_fk_registrat` FOREIGN KEY (`draft_id`) REFERENCES `registration_registrationdraft` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `draft_credential_role` (`draft_id`,`side`,`role`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `registration_registrationdraft` (
  `id` varchar(14) NOT NULL,
  `owner` varchar(80) NOT NULL,
  `first` longtext NOT NULL CHECK (json_valid(`first`)),
  `second` longtext NOT NULL CHECK (json_valid(`second`)),
  `link` longtext NOT NULL CHECK (json_valid(`link`)),
  `first_cluster_id` varchar(14) NOT NULL,
  `second_cluster_id` varchar(14) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  KEY `registration_registrationdraft_expires_at_cfdf7f68` (`expires_at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `rehearsals_rehearsal` (
  `id` varchar(14) NOT NULL,
  `kind` varchar(20) NOT NULL,
  `state` varchar(6) NOT NULL,
  `at` datetime(6) NOT NULL,
  `actor` varchar(80) NOT NULL,
  `options` longtext NOT NULL CHECK (json_valid(`options`)),
  `summary` longtext NOT NULL,
  `sentence` longtext NOT NULL,
  `duration_ms` double NOT NULL,
  `timings` longtext NOT NULL CHECK (json_valid(`timings`)),
  `estimate_s` double DEFAULT NULL,
  `loss` longtext NOT NULL CHECK (json_valid(`loss`)),
  `findings` longtext NOT NULL CHECK (json_valid(`findings`)),
  `positions` longtext NOT NULL CHECK (json_valid(`positions`)),
  `steps` longtext NOT NULL CHECK (json_valid(`steps`)),
  `link_id` varchar(14) NOT NULL,
  CONSTRAINT `rehearsals_rehearsal_link_id_e53ea608_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `rehearsal_age` (`at`),
  KEY `rehearsal_newest` (`link_id`,`kind`,`at`),
  KEY `rehearsal_of_link` (`link_id`,`at`),
  KEY `rehearsal_results` (`link_id`,`kind`,`state`,`at`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `rehearsals_rehearsalschedule` (
  `link_id` varchar(14) NOT NULL,
  `enabled` tinyint(1) NOT NULL,
  `every_hours` smallint(5) unsigned NOT NULL CHECK (`every_hours` >= 0),
  `kinds` longtext NOT NULL CHECK (json_valid(`kinds`)),
  CONSTRAINT `rehearsals_rehearsal_link_id_dccac2ae_fk_clusters_` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `runs_approval` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `approver` varchar(80) NOT NULL,
  `comment` longtext NOT NULL,
  `at` datetime(6) NOT NULL,
  `run_id` varchar(14) NOT NULL,
  `digest` varchar(64) NOT NULL,
  `expires_at` datetime(6) DEFAULT NULL,
  `is_exception` tinyint(1) NOT NULL,
  `mac` varchar(64) NOT NULL,
  `review_comment` longtext NOT NULL,
  `reviewed_at` datetime(6) DEFAULT NULL,
  `reviewed_by` varchar(80) NOT NULL,
  `round` smallint(5) unsigned NOT NULL CHECK (`round` >= 0),
  `token_id` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `runs_approval_run_id_6b409101_fk_runs_run_id` FOREIGN KEY (`run_id`) REFERENCES `runs_run` (`id`),
  KEY `runs_approval_run_id_6b409101` (`run_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `approval_round_approver` (`run_id`,`round`,`approver`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `runs_plan` (
  `id` varchar(14) NOT NULL,
  `kind` varchar(20) NOT NULL,
  `state` varchar(10) NOT NULL,
  `reason` longtext NOT NULL,
  `options` longtext NOT NULL CHECK (json_valid(`options`)),
  `body` longtext NOT NULL CHECK (json_valid(`body`)),
  `digest` varchar(64) NOT NULL,
  `created_by` varchar(80) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `link_id` varchar(14) NOT NULL,
  `registered_versions` longtext NOT NULL CHECK (json_valid(`registered_versions`)),
  CONSTRAINT `runs_plan_link_id_034742ac_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  KEY `runs_plan_created_at_7b3d2aa5` (`created_at`),
  KEY `runs_plan_link_id_034742ac_fk_clusters_link_id` (`link_id`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `runs_run` (
  `id` varchar(14) NOT NULL,
  `unfinished_link` varchar(14) DEFAULT NULL,
  `kind` varchar(20) NOT NULL,
  `state` varchar(20) NOT NULL,
  `version` int(10) unsigned NOT NULL CHECK (`version` >= 0),
  `reason` longtext NOT NULL,
  `requested_by` varchar(80) NOT NULL,
  `request_id` varchar(64) NOT NULL,
  `idempotency_key` varchar(128) NOT NULL,
  `epoch` int(10) unsigned NOT NULL CHECK (`epoch` >= 0),
  `owner` varchar(120) NOT NULL,
  `lease_until` datetime(6) DEFAULT NULL,
  `dispatched_at` datetime(6) DEFAULT NULL,
  `lost_workers` smallint(5) unsigned NOT NULL CHECK (`lost_workers` >= 0),
  `cursor` int(11) NOT NULL,
  `point_of_no_return_passed` tinyint(1) NOT NULL,
  `abort_requested_by` varchar(80) NOT NULL,
  `abort_requested_at` datetime(6) DEFAULT NULL,
  `outcome` longtext NOT NULL,
  `next_action` longtext NOT NULL,
  `verification` longtext DEFAULT NULL CHECK (json_valid(`verification`)),
  `facts` longtext NOT NULL CHECK (json_valid(`facts`)),
  `created_at` datetime(6) NOT NULL,
  `started_at` datetime(6) DEFAULT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `plan_id` varchar(14) NOT NULL,
  `approval_expires_at` datetime(6) DEFAULT NULL,
  `approval_requested_at` datetime(6) DEFAULT NULL,
  `approval_round` smallint(5) unsigned NOT NULL CHECK (`approval_round` >= 0),
  `authorization` varchar(64) NOT NULL,
  `needs_approval` tinyint(1) NOT NULL,
  `resumed_by` varchar(80) NOT NULL,
  `takeovers` int(10) unsigned NOT NULL CHECK (`takeovers` >= 0),
  `approval_reminded_at` datetime(6) DEFAULT NULL,
  `approval_rule` longtext DEFAULT NULL CHECK (json_valid(`approval_rule`)),
  `token_id` varchar(14) NOT NULL DEFAULT '',
  CONSTRAINT `runs_run_link_id_e9bc4016_fk_clusters_link_id` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `runs_run_plan_id_0aaec702_fk_runs_plan_id` FOREIGN KEY (`plan_id`) REFERENCES `runs_plan` (`id`),
  KEY `run_newest` (`link_id`,`kind`,`state`,`created_at`),
  KEY `run_of_link` (`link_id`,`created_at`),
  KEY `runs_run_created_at_820a47c9` (`created_at`),
  KEY `runs_run_state_583a34b1` (`state`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `plan_id` (`plan_id`),
  UNIQUE KEY `unfinished_link` (`unfinished_link`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `runs_runstep` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `index` smallint(5) unsigned NOT NULL CHECK (`index` >= 0),
  `code` varchar(60) NOT NULL,
  `title` varchar(200) NOT NULL,
  `node` varchar(63) NOT NULL,
  `point_of_no_return` tinyint(1) NOT NULL,
  `state` varchar(10) NOT NULL,
  `attempts` smallint(5) unsigned NOT NULL CHECK (`attempts` >= 0),
  `observed_after_crash` tinyint(1) NOT NULL,
  `outcome` longtext NOT NULL,
  `facts` longtext NOT NULL CHECK (json_valid(`facts`)),
  `started_at` datetime(6) DEFAULT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `run_id` varchar(14) NOT NULL,
  `time_spent` longtext DEFAULT NULL CHECK (json_valid(`time_spent`)),
  CONSTRAINT `runs_runstep_run_id_b15bfaff_fk_runs_run_id` FOREIGN KEY (`run_id`) REFERENCES `runs_run` (`id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `run_step_index` (`run_id`,`index`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `runs_statement` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `epoch` int(10) unsigned NOT NULL CHECK (`epoch` >= 0),
  `node_id` varchar(14) NOT NULL,
  `node` varchar(63) NOT NULL,
  `sql` longtext NOT NULL,
  `sql_digest` varchar(64) NOT NULL,
  `connection_id` bigint(20) DEFAULT NULL,
  `state_before` longtext DEFAULT NULL CHECK (json_valid(`state_before`)),
  `state` varchar(14) NOT NULL,
  `warnings` longtext NOT NULL CHECK (json_valid(`warnings`)),
  `error` longtext NOT NULL,
  `sent_at` datetime(6) NOT NULL,
  `duration_ms` double DEFAULT NULL,
  `step_id` bigint(20) NOT NULL,
  CONSTRAINT `runs_statement_step_id_b1da8bad_fk_runs_runstep_id` FOREIGN KEY (`step_id`) REFERENCES `runs_runstep` (`id`),
  KEY `runs_statement_step_id_b1da8bad_fk_runs_runstep_id` (`step_id`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `second_factors_passkey` (
  `id` varchar(14) NOT NULL,
  `name` varchar(63) NOT NULL,
  `rp_id` varchar(253) NOT NULL,
  `credential_digest` varchar(64) NOT NULL,
  `credential` longtext NOT NULL,
  `sign_count` bigint(20) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `last_used_at` datetime(6) DEFAULT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `second_factors_passkey_user_id_f0756f83_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `second_factors_passkey_user_id_f0756f83_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `credential_digest` (`credential_digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `second_factors_recoverycode` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `digest` varchar(64) NOT NULL,
  `used_at` datetime(6) DEFAULT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `second_factors_recoverycode_user_id_3e8b83dd_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `second_factors_recoverycode_user_id_3e8b83dd_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `digest` (`digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `second_factors_totp` (
  `user_id` bigint(20) NOT NULL,
  `sealed` longtext NOT NULL,
  `last_step` bigint(20) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `last_used_at` datetime(6) NOT NULL,
  CONSTRAINT `second_factors_totp_user_id_84cee9af_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  PRIMARY KEY (`user_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `table_comparison_comparedtable` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `name` varchar(140) NOT NULL,
  `state` varchar(12) NOT NULL,
  `estimated_rows` bigint(20) unsigned NOT NULL CHECK (`estimated_rows` >= 0),
  `rows` bigint(20) unsigned NOT NULL CHECK (`rows` >= 0),
  `while_written` bigint(20) unsigned NOT NULL CHECK (`while_written` >= 0),
  `different` int(10) unsigned NOT NULL CHECK (`different` >= 0),
  `code` varchar(40) NOT NULL,
  `sentence` longtext NOT NULL,
  `left_out` longtext NOT NULL CHECK (json_valid(`left_out`)),
  `shape` longtext NOT NULL CHECK (json_valid(`shape`)),
  `walk` longtext NOT NULL CHECK (json_valid(`walk`)),
  `ended_at` datetime(6) DEFAULT NULL,
  `comparison_id` varchar(14) NOT NULL,
  CONSTRAINT `table_comparison_com_comparison_id_03b81b9b_fk_table_com` FOREIGN KEY (`comparison_id`) REFERENCES `table_comparison_tablecomparison` (`id`),
  KEY `compared_table_state` (`comparison_id`,`state`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `compared_table_once` (`comparison_id`,`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `table_comparison_comparisonschedule` (
  `link_id` varchar(14) NOT NULL,
  `enabled` tinyint(1) NOT NULL,
  `every_hours` smallint(5) unsigned NOT NULL CHECK (`every_hours` >= 0),
  `every_node` tinyint(1) NOT NULL,
  `only` longtext NOT NULL CHECK (json_valid(`only`)),
  `rows_per_s` int(10) unsigned NOT NULL CHECK (`rows_per_s` >= 0),
  `busy_percent` smallint(5) unsigned NOT NULL CHECK (`busy_percent` >= 0),
  CONSTRAINT `table_comparison_com_link_id_6be12ecd_fk_clusters_` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  PRIMARY KEY (`link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `table_comparison_rowdifference` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `node_id` varchar(14) NOT NULL,
  `node` varchar(63) NOT NULL,
  `apart` varchar(10) NOT NULL,
  `is_confirmed` tinyint(1) NOT NULL,
  `key` longtext DEFAULT NULL CHECK (json_valid(`key`)),
  `reference` longtext DEFAULT NULL CHECK (json_valid(`reference`)),
  `held` longtext DEFAULT NULL CHECK (json_valid(`held`)),
  `found_at` datetime(6) NOT NULL,
  `table_id` bigint(20) NOT NULL,
  CONSTRAINT `table_comparison_row_table_id_7b42b53e_fk_table_com` FOREIGN KEY (`table_id`) REFERENCES `table_comparison_comparedtable` (`id`),
  KEY `table_comparison_row_table_id_7b42b53e_fk_table_com` (`table_id`),
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `table_comparison_tablecomparison` (
  `id` varchar(14) NOT NULL,
  `state` varchar(10) NOT NULL,
  `actor` varchar(80) NOT NULL,
  `node_ids` longtext NOT NULL CHECK (json_valid(`node_ids`)),
  `only` longtext NOT NULL CHECK (json_valid(`only`)),
  `rows_per_s` int(10) unsigned NOT NULL CHECK (`rows_per_s` >= 0),
  `busy_percent` smallint(5) unsigned NOT NULL CHECK (`busy_percent` >= 0),
  `is_listed` tinyint(1) NOT NULL,
  `sentence` longtext NOT NULL,
  `claimed_until` datetime(6) DEFAULT NULL,
  `started_at` datetime(6) NOT NULL,
  `ended_at` datetime(6) DEFAULT NULL,
  `link_id` varchar(14) NOT NULL,
  `unfinished_link_id` varchar(14) DEFAULT NULL,
  `worked_ms` bigint(20) unsigned NOT NULL DEFAULT 0 CHECK (`worked_ms` >= 0),
  CONSTRAINT `table_comparison_tab_link_id_780a022a_fk_clusters_` FOREIGN KEY (`link_id`) REFERENCES `clusters_link` (`id`),
  CONSTRAINT `table_comparison_tab_unfinished_link_id_8214b91b_fk_clusters_` FOREIGN KEY (`unfinished_link_id`) REFERENCES `clusters_link` (`id`),
  KEY `comparison_of_link` (`link_id`,`started_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `unfinished_link_id` (`unfinished_link_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `web_push_pushmessage` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `key` varchar(40) NOT NULL,
  `payload` longtext NOT NULL CHECK (json_valid(`payload`)),
  `state` varchar(9) NOT NULL,
  `attempts` smallint(5) unsigned NOT NULL CHECK (`attempts` >= 0),
  `created_at` datetime(6) NOT NULL,
  `due_at` datetime(6) DEFAULT NULL,
  `subscription_id` varchar(14) NOT NULL,
  CONSTRAINT `web_push_pushmessage_subscription_id_848dc233_fk_web_push_` FOREIGN KEY (`subscription_id`) REFERENCES `web_push_pushsubscription` (`id`),
  KEY `push_message_due` (`state`,`due_at`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `push_message_key` (`subscription_id`,`key`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

CREATE TABLE `web_push_pushsubscription` (
  `id` varchar(14) NOT NULL,
  `endpoint_digest` varchar(64) NOT NULL,
  `sealed` longtext NOT NULL,
  `push_service` varchar(260) NOT NULL,
  `user_agent` varchar(200) NOT NULL,
  `incidents` tinyint(1) NOT NULL,
  `approvals` tinyint(1) NOT NULL,
  `failed_runs` tinyint(1) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `last_success_at` datetime(6) DEFAULT NULL,
  `failures` int(10) unsigned NOT NULL CHECK (`failures` >= 0),
  `last_error` varchar(500) NOT NULL,
  `event_cursor` bigint(20) NOT NULL,
  `user_id` bigint(20) NOT NULL,
  CONSTRAINT `web_push_pushsubscription_user_id_0f8f21eb_fk_accounts_user_id` FOREIGN KEY (`user_id`) REFERENCES `accounts_user` (`id`),
  KEY `web_push_pushsubscription_user_id_0f8f21eb_fk_accounts_user_id` (`user_id`),
  PRIMARY KEY (`id`),
  UNIQUE KEY `endpoint_digest` (`endpoint_digest`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

TRIGGER `audit_auditrecord_no_delete` BEFORE DELETE ON `audit_auditrecord` SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'audit records are append-only'

TRIGGER `audit_auditrecord_no_update` BEFORE UPDATE ON `audit_auditrecord` SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'audit records are append-only'
